// Package node drives a program for Node as a child process that stays alive, so that its
// start, and the time until its compiler is warm, do not count.
//
// A request is one line of JSON on its standard input, the answer one line on its standard
// output: {"ok": …} or {"error": "…"}.
package node

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
)

// A Child is a running program. It is not safe for concurrent use.
type Child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// Start starts script with node, which must be in the PATH. The caller closes the child.
func Start(script string) (*Child, error) {
	c := &Child{cmd: exec.Command("node", "--expose-gc", script)}
	c.cmd.Stderr = os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	return c, nil
}

// Call sends a request and waits for the answer, which is decoded to reply unless that is
// nil.
func (c *Child) Call(request, reply any) error {
	b, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if _, err := c.in.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("node: %w", err)
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("node: %w", err)
	}
	var answer struct {
		OK    json.RawMessage
		Error string
	}
	switch err := json.Unmarshal(line, &answer); {
	case err != nil:
		return fmt.Errorf("node: %w", err)
	case answer.Error != "":
		return errors.New(answer.Error)
	case reply == nil:
		return nil
	}
	return json.Unmarshal(answer.OK, reply)
}

// Close ends the child.
func (c *Child) Close() error {
	c.in.Close()
	return c.cmd.Wait()
}

// Versions asks the program for {"do":"versions"}: the versions of what it compares, which go
// to into, and what is missing.
func (c *Child) Versions(into map[string]string) (missing string, err error) {
	var v struct {
		Versions map[string]string
		Missing  string
	}
	if err := c.Call(map[string]any{"do": "versions"}, &v); err != nil {
		return "", err
	}
	maps.Copy(into, v.Versions)
	return v.Missing, nil
}
