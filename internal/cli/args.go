package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// takesNothing is for a command that has flags alone.
func takesNothing(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("%s takes no argument, and was given %q: see %s --help", c.CommandPath(), strings.Join(args, " "), c.CommandPath())
}

// takesOne is for a command that is about one thing, such as "a session's id".
func takesOne(thing string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usagef("%s needs %s: see %s --help", c.CommandPath(), thing, c.CommandPath())
		case len(args) > 1:
			return usagef("%s takes %s and nothing more, and was given %s: see %s --help", c.CommandPath(), thing, quoted(args), c.CommandPath())
		}
		return nil
	}
}

// takesFolder is for a command that may be given the project's folder.
func takesFolder(c *cobra.Command, args []string) error {
	if len(args) < 2 {
		return nil
	}
	return usagef("%s takes one folder, and was given %s: see %s --help", c.CommandPath(), quoted(args), c.CommandPath())
}

// takesMessage is for a command whose message is a flag.
func takesMessage(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("%s takes its message as a flag: %s --message %q", c.CommandPath(), c.CommandPath(), strings.Join(args, " "))
}

// quoted lists arguments.
func quoted(args []string) string {
	list := make([]string, len(args))
	for i, arg := range args {
		list[i] = fmt.Sprintf("%q", arg)
	}
	return strings.Join(list, ", ")
}

// flagFault is what is wrong with the flags of a command line.
func flagFault(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		f := invalid.GetFlag()
		return usagef("--%s is %q: it is %s: see %s --help", f.Name, invalid.GetValue(), kind(f), c.CommandPath())
	}
	return usagef("%w: see %s --help", err, c.CommandPath())
}

// kind says what the value of a flag looks like.
func kind(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number from 0 on"
	case "bool":
		return "true or false"
	case "duration":
		return "a time such as 50ms or 2s"
	}
	return "a text"
}
