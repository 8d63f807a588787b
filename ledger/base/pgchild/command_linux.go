package pgchild

import (
	"os/exec"
	"syscall"
)

// capReadSearch is CAP_DAC_READ_SEARCH. The dropped-to user keeps it so that a data folder below a private folder
// can still be reached; it gives no right to write.
const capReadSearch = 2

// command prepares a program to run as the account.
func (a *account) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...) //nolint:noctx // A context would kill Postgres instead of stopping it.
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGQUIT}
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
		cmd.SysProcAttr.AmbientCaps = []uintptr{capReadSearch}
	}
	return cmd
}

// endsWithUs makes a program end at once when we do. A program that waits for another, as initdb does, ignores SIGQUIT.
func endsWithUs(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
