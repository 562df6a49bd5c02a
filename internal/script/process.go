package script

import (
	"os"
	"runtime"
	"time"
)

// nodeVersion is the version of Node whose API the modules follow.
const nodeVersion = "v22.13.0"

// processStart is where performance.now counts from.
var processStart = time.Now()

// processOps serve process, performance and node:os.
func processOps(o *ops) {
	o.sync("process.now", func(*vm, args) (any, error) {
		return float64(time.Since(processStart)) / float64(time.Millisecond), nil
	})
	o.sync("process.memory", func(*vm, args) (any, error) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return asJSON(map[string]uint64{"rss": m.Sys, "heapTotal": m.HeapSys, "heapUsed": m.HeapAlloc, "external": 0, "arrayBuffers": 0})
	})
	o.sync("process.freemem", func(*vm, args) (any, error) { return float64(freeMemory()), nil })
	o.sync("process.cpu", func(*vm, args) (any, error) { return asJSON(cpuUsed()) })
	o.sync("process.about", func(v *vm, _ args) (any, error) {
		exe, _ := os.Executable()
		host, _ := os.Hostname()
		home, _ := os.UserHomeDir()
		env := v.o.Env
		if env == nil {
			env = map[string]string{}
		}
		return asJSON(map[string]any{
			"env": env, "cwd": v.o.Cwd, "argv": []string{exe, v.o.Dir}, "execPath": exe, "pid": os.Getpid(), "ppid": os.Getppid(),
			"platform": nodePlatform(), "arch": nodeArch(), "version": nodeVersion, "engine": "quickjs",
			"uid": os.Getuid(), "gid": os.Getgid(), "hostname": host, "release": systemRelease(),
			"totalmem": totalMemory(), "homedir": home, "tmpdir": trimSlash(os.TempDir()), "cpus": runtime.NumCPU(),
		})
	})
}

// nodePlatform is what Node calls the operating system.
func nodePlatform() string {
	if runtime.GOOS == "windows" {
		return "win32"
	}
	return runtime.GOOS
}

// nodeArch is what Node calls the processor.
func nodeArch() string {
	switch runtime.GOARCH {
	case "amd64":
		return "x64"
	case "386":
		return "ia32"
	}
	return runtime.GOARCH
}

func trimSlash(s string) string {
	if len(s) > 1 && os.IsPathSeparator(s[len(s)-1]) {
		return s[:len(s)-1]
	}
	return s
}
