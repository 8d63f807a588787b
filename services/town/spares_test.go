package town

// Spare is what the town leaves out since an open issue says that it goes wrong: the item, and what is not done.
// The fix of the item removes the line, and the town does it again.
type Spare struct {
	Item string // Of the issues, such as 14 A3.
	What string
}

// spares are all of them.
var spares = []Spare{}

// spared reports whether what goes wrong by an item of an open issue is left out.
func (t *Town) spared(item string) bool {
	if t.All || t.Item == item {
		return false
	}
	for _, s := range spares {
		if s.Item == item {
			return true
		}
	}
	return false
}
