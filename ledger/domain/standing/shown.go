package standing

import "strings"

// Standings are the columns of the table, in the order in which it is shown.
func Standings() []Standing {
	return []Standing{Open, Frozen, Closed, Minor, Ward, Own, Party, Tied, Stranger, Invited, Waiting, Inactive}
}

var names = [...]string{"open", "frozen", "closed", "minor", "ward", "own", "party", "tied", "stranger", "invited", "waiting", "inactive"}

// String is the standing's name in docs/standing.md.
func (s Standing) String() string { return names[s] }

// OfAccount reports whether it is a standing that an account has by itself.
func (s Standing) OfAccount() bool { return s <= Closed }

// Acts are the rows of the table.
func Acts() []Act {
	all := make([]Act, acts)
	for n := range all {
		all[n] = Act(n)
	}
	return all
}

// Named is the act of a name.
func Named(name string) (Act, bool) {
	for _, act := range Acts() {
		if table[act].name == name {
			return act, true
		}
	}
	return 0, false
}

// String is the act's name in the contract.
func (a Act) String() string { return table[a].name }

// What says in words what the act is: "approves, votes, …".
func (a Act) What() string { return table[a].what }

// ByThem reports whether it is what a person does. Otherwise it is what is done to them.
func (a Act) ByThem() bool { return a < Serve }

// Answer is the sentence of a cell that refuses, with … for what the decider fills in; or that it is allowed.
func (a Act) Answer(s Standing) (sentence string, allowed bool) {
	r, refused := table[a].refused[s]
	return strings.NewReplacer("%s", "…", "%d", "…").Replace(r.says), !refused
}

// Stays reports whether a cell is one that earlier builds did not ask: what they decided stays as it is.
func (a Act) Stays(s Standing) bool { return table[a].refused[s].since == today }
