package town

// Spare is what the town leaves out since an open issue says that it goes wrong: the item, and what is not done.
// The fix of the item removes the line, and the town does it again.
type Spare struct {
	Item string // Of the issues, such as 14 A3.
	What string
}

// spares are all of them.
var spares = []Spare{
	{"14 A4", "the bank keeps some of a return, or tells of one that is not ours"},
	{"14 A5", "a return has no time, or comes as a transfer"},
	{"14 A6", "the bank answers an order with 403 or with \"not found\", or does not know it yet"},
	{"14 A7", "the bank is away"},
	{"14 A9", "the bank takes another fee than its tariff says"},
	{"14 A10", "a date of a payout lies years away"},
	{"14 A11", "an account gets another name"},
	{"14 B5", "money comes from a stranger, or for somebody who left"},
	{"14 C2", "the bank books a week late"},
	{"14 C3", "the bank books out and in what it did not pay"},
}

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
