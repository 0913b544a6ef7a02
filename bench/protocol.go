package bench

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A request is one line of JSON, and so is its reply.
type request struct {
	// Do is "contenders", "open", "run" or "close".
	Do        string `json:"do"`
	Contender int    `json:"contender"` // for open
	Workload  string `json:"workload"`  // for open
	N         int    `json:"n"`         // for run
}

type reply struct {
	Contenders []Info `json:"contenders,omitempty"`
	Batch      *Batch `json:"batch,omitempty"`
	Error      string `json:"error,omitempty"`
	// Unsupported is the reason when that is what Error is about.
	Unsupported string `json:"unsupported,omitempty"`
}

// Serve answers requests until in ends. One workload is open at a time:
//
//	{"do":"contenders"}                            → {"contenders":[…]}
//	{"do":"open","contender":0,"workload":"run/empty"} → {} or {"unsupported":"why"}
//	{"do":"run","n":100}                           → {"batch":{"values":[…],…}}
//	{"do":"close"}                                 → {}
//
// Whatever goes wrong is {"error":"…"}.
func Serve(in io.Reader, out io.Writer, contenders []Contender) error {
	var open Session
	defer func() {
		if open != nil {
			open.Close()
		}
		for _, c := range contenders {
			c.Close()
		}
	}()
	answer := func(r request) (reply, error) {
		switch r.Do {
		case "contenders":
			var p reply
			for _, c := range contenders {
				p.Contenders = append(p.Contenders, c.Info())
			}
			return p, nil
		case "open":
			w := Find(r.Workload)
			if w == nil || r.Contender < 0 || r.Contender >= len(contenders) {
				return reply{}, fmt.Errorf("there is no workload %q or no contender %d", r.Workload, r.Contender)
			}
			s, err := contenders[r.Contender].Open(w)
			if errors.Is(err, ErrUnsupported) {
				return reply{Unsupported: strings.TrimPrefix(err.Error(), ErrUnsupported.Error()+": ")}, nil
			}
			open = s
			return reply{}, err
		case "run":
			if open == nil {
				return reply{}, errors.New("no workload is open")
			}
			b, err := open.Run(r.N)
			return reply{Batch: &b}, err
		case "close":
			s := open
			open = nil
			if s == nil {
				return reply{}, nil
			}
			return reply{}, s.Close()
		}
		return reply{}, fmt.Errorf("unknown request %q", r.Do)
	}
	lines := bufio.NewReader(in)
	enc := json.NewEncoder(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var r request
		var p reply
		if err = json.Unmarshal(line, &r); err == nil {
			p, err = answer(r)
		}
		if err != nil {
			p = reply{Error: err.Error()}
		}
		if err := enc.Encode(p); err != nil {
			return err
		}
	}
}

// A Program serves contenders when it runs. Each contender gets a process of its own, so that
// memory is counted for it alone, and one that hangs can be ended.
type Program struct {
	Dir  string // working directory; empty is ours
	Name string
	Args []string
	Env  []string // besides ours
}

// Contenders starts the program, asks for its contenders, and ends it.
func (p Program) Contenders() ([]Contender, error) {
	pr, err := p.start()
	if err != nil {
		return nil, err
	}
	defer pr.close()
	a, err := pr.ask(request{Do: "contenders"}, 10*patience) // it may have to be compiled
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	list := make([]Contender, len(a.Contenders))
	for i, info := range a.Contenders {
		list[i] = &remote{program: p, index: i, info: info}
	}
	return list, nil
}

// patience is how long a request may take before the process is ended: a workload that takes
// longer is of no use in comparisons.
const patience = 10 * time.Second

// process is a running Program.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (p Program) start() (*process, error) {
	pr := &process{cmd: exec.Command(p.Name, p.Args...)}
	pr.cmd.Dir, pr.cmd.Stderr = p.Dir, os.Stderr
	pr.cmd.Env = append(os.Environ(), p.Env...)
	var err error
	if pr.in, err = pr.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := pr.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	pr.out = bufio.NewReaderSize(out, 1<<16)
	return pr, pr.cmd.Start()
}

// close ends the process and waits for it.
func (pr *process) close() {
	pr.in.Close()
	timer := time.AfterFunc(5*time.Second, func() { _ = pr.cmd.Process.Kill() })
	_ = pr.cmd.Wait() // how it ends does not matter any more
	timer.Stop()
}

// errLate is a request that took longer than patience. Its process was ended.
var errLate = fmt.Errorf("no answer within %v", patience)

func (pr *process) ask(r request, within time.Duration) (reply, error) {
	var a reply
	b, err := json.Marshal(r)
	if err != nil {
		return a, err
	}
	late := make(chan struct{})
	timer := time.AfterFunc(within, func() {
		close(late)
		_ = pr.cmd.Process.Kill()
	})
	if _, err = pr.in.Write(append(b, '\n')); err == nil {
		var line []byte
		if line, err = pr.out.ReadBytes('\n'); err == nil {
			err = json.Unmarshal(line, &a)
		}
	}
	if !timer.Stop() {
		<-late
		return a, errLate
	}
	switch {
	case err != nil:
		return a, &processError{err}
	case a.Error != "":
		return a, errors.New(a.Error)
	case a.Unsupported != "":
		return a, Unsupported("%s", a.Unsupported)
	}
	return a, nil
}

// A processError says that a process has ended or does not keep to the protocol.
type processError struct{ err error }

func (e *processError) Error() string { return "the process of the contender ended: " + e.err.Error() }
func (e *processError) Unwrap() error { return e.err }

// remote is a contender of a Program.
type remote struct {
	program Program
	index   int
	info    Info
	process *process // nil until needed
}

func (r *remote) Info() Info { return r.info }

func (r *remote) Close() error {
	if r.process != nil {
		r.process.close()
		r.process = nil
	}
	return nil
}

func (r *remote) ask(q request) (reply, error) {
	if r.process == nil {
		var err error
		if r.process, err = r.program.start(); err != nil {
			r.process = nil
			return reply{}, err
		}
	}
	a, err := r.process.ask(q, patience)
	var ended *processError
	if errors.Is(err, errLate) || errors.As(err, &ended) {
		r.process.close()
		r.process = nil
	}
	return a, err
}

func (r *remote) Open(w *Workload) (Session, error) {
	if r.info.Skipped != "" {
		return nil, Unsupported("%s", r.info.Skipped)
	}
	if _, err := r.ask(request{Do: "open", Contender: r.index, Workload: w.Name}); err != nil {
		return nil, err
	}
	return remoteSession{r}, nil
}

type remoteSession struct{ r *remote }

func (s remoteSession) Run(n int) (Batch, error) {
	a, err := s.r.ask(request{Do: "run", N: n})
	if err != nil {
		return Batch{}, err
	}
	if a.Batch == nil || len(a.Batch.Values) != n {
		return Batch{}, errors.New("the contender did not answer with its figures")
	}
	return *a.Batch, nil
}

func (s remoteSession) Close() error {
	if s.r.process == nil {
		return nil
	}
	_, err := s.r.ask(request{Do: "close"})
	return err
}
