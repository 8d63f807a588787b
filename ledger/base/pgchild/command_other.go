//go:build !linux

package pgchild

import (
	"os/exec"
	"syscall"
)

// command prepares a program to run as the account.
func (a *account) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
	return cmd
}

// endsWithUs does nothing: only Linux can end a program with its parent.
func endsWithUs(*exec.Cmd) {}
