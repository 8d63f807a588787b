package apptest

// Keeps opens the town's vault.
func (w *Town) Keeps() {
	w.Helper()
	w.App.Vault = w.keeps()
}

// Closed is the group's sub-account whose total is hidden, where it was set up so.
func (w *Town) Closed() string { return w.closed }
