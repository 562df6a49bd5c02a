package cli

import (
	"os/exec"
	"runtime"
)

// browse opens a URL in the browser of whoever uses this machine. It does not wait for it.
func browse(url string) error {
	command := exec.Command("xdg-open", url)
	switch runtime.GOOS {
	case "darwin":
		command = exec.Command("open", url)
	case "windows":
		command = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	}
	if err := command.Start(); err != nil {
		return err
	}
	return command.Process.Release()
}
