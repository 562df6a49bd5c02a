package actors

import "os"

// environ is the environment of the process, for a host that is given none.
func environ() []string { return os.Environ() }
