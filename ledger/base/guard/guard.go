// Package guard turns a panic into an error, so that one failure does not take the process with it.
package guard

import (
	"fmt"
	"runtime/debug"
)

// Panicked is the error for a recovered panic.
type Panicked struct {
	Value any
	Stack []byte
}

func (p *Panicked) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Unwrap is the panic's value, if it is an error.
func (p *Panicked) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Into is for a defer statement: it puts a panic into err.
func Into(err *error) {
	if value := recover(); value != nil {
		*err = &Panicked{value, debug.Stack()}
	}
}

// Call calls f. If f panics, that is its error.
func Call(f func() error) (err error) {
	defer Into(&err)
	return f()
}
