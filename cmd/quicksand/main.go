// Command quicksand runs JavaScript and TypeScript programs in a sandbox.
//
//	quicksand run FILE.js [flags]
//	quicksand packs list|info|compile [DIR ...]
//	quicksand bench [flags]
//	quicksand engines
//
// quicksand help and quicksand run --help explain the rest.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"quicksand"
	_ "quicksand/bridges/mediabridge"
	_ "quicksand/media/image/avif"
	_ "quicksand/media/image/jxl"
	_ "quicksand/media/image/webp"
	_ "quicksand/typescript"
)

// Exit statuses.
const (
	exitOK          = 0
	exitGuest       = 1   // the program failed
	exitUsage       = 2   // the command line is wrong, or the host failed
	exitLimit       = 3   // a limit stopped the program
	exitInterrupted = 130 // SIGINT or SIGTERM stopped the program
)

const mainHelp = `Quicksand runs JavaScript and TypeScript that nobody trusts, in a sandbox.

Usage:

    quicksand run FILE.js [flags]   run a program and print what it returns
    quicksand packs list|info|compile [DIR ...]
                                    look after packages of modules
    quicksand bench [flags]         measure the engines, and peers beside them
    quicksand engines [--json]      list the engines in this build
    quicksand version               print the version
    quicksand help [run|packs|bench]
                                    print this text, or all flags of a command

Try it:

    echo 'return [1, 2, 3].map((n) => n * n)' | quicksand run -
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole command with the arguments after its name. It returns the exit
// status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, mainHelp)
		return exitUsage
	}
	switch args[0] {
	case "run":
		return runProgram(args[1:], stdin, stdout, stderr)
	case "packs":
		return managePacks(args[1:], stdout, stderr)
	case "bench":
		return runBench(args[1:], stdout, stderr)
	case "engines":
		return listEngines(args[1:], stdout, stderr)
	case "version", "--version", "-version":
		return printVersion(stdout, stderr)
	case "help", "--help", "-help", "-h":
		if len(args) > 1 && args[1] == "run" {
			return emitText(stdout, stderr, runHelp)
		}
		if len(args) > 1 && args[1] == "packs" {
			return emitText(stdout, stderr, packsHelp)
		}
		if len(args) > 1 && args[1] == "bench" {
			return emitText(stdout, stderr, benchHelp)
		}
		return emitText(stdout, stderr, mainHelp)
	}
	return usage(stderr, "unknown command %q; try quicksand help", args[0])
}

// usage reports a wrong command line or a failure of the host in one line.
func usage(stderr io.Writer, format string, args ...any) int {
	fmt.Fprintf(stderr, "quicksand: %s\n", visible(fmt.Sprintf(format, args...)))
	return exitUsage
}

func emitText(stdout, stderr io.Writer, text string) int {
	if _, err := io.WriteString(stdout, text); err != nil {
		return usage(stderr, "the output cannot be written: %v", err)
	}
	return exitOK
}

func listEngines(args []string, stdout, stderr io.Writer) int {
	engines := quicksand.Engines()
	switch {
	case len(args) == 1 && (args[0] == "--json" || args[0] == "-json"):
		text, err := json.MarshalIndent(engines, "", "  ")
		if err != nil {
			return usage(stderr, "%v", err)
		}
		return emitText(stdout, stderr, string(text)+"\n")
	case len(args) > 0:
		return usage(stderr, "engines takes only --json, not %q", args[0])
	}
	text := ""
	for _, e := range engines {
		text += fmt.Sprintf("%-5s %s", e.Name, e.Version)
		if e.Default {
			text += " (default)"
		}
		text += "\n"
	}
	return emitText(stdout, stderr, text)
}

func printVersion(stdout, stderr io.Writer) int {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return emitText(stdout, stderr, fmt.Sprintf("quicksand %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH))
}
