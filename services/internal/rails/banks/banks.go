// Package banks is the list of Nigeria's banks, with the codes that the CBN and the transfer network know them by. It
// begins with a table of ours and is refreshed from a rail while we run.
package banks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"adashi.ng/services/internal/rails"
)

// vfdItself is the bank code that VFD uses for itself inside its own calls.
const vfdItself = "999999"

// Directory is the list. It is safe for concurrent use.
type Directory struct {
	mu   sync.RWMutex
	list []rails.Bank
}

// New makes a directory of the banks in our table.
func New() *Directory { return &Directory{list: slices.Clone(table)} }

// All are the banks, by name.
func (d *Directory) All() []rails.Bank {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return slices.Clone(d.list)
}

// Find returns the bank with a code, the CBN's or the network's.
func (d *Directory) Find(code string) (rails.Bank, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	at := slices.IndexFunc(d.list, func(b rails.Bank) bool { return code != "" && (b.Code == code || b.NIP == code) })
	if at < 0 {
		return rails.Bank{}, false
	}
	return d.list[at], true
}

// Refresh adds the banks and names that a rail knows and this list does not. It never removes a bank.
func (d *Directory) Refresh(ctx context.Context, from rails.Enquirer) error {
	told, err := from.Banks(ctx)
	if err != nil {
		return fmt.Errorf("banks: %w", err)
	}
	list := slices.Clone(table)
	for _, bank := range told {
		list = merge(list, bank)
	}
	slices.SortFunc(list, func(a, b rails.Bank) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.Code, b.Code))
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.list = list
	return nil
}

func merge(list []rails.Bank, told rails.Bank) []rails.Bank {
	if told.Name = strings.TrimSpace(told.Name); told.Name == "" || told.NIP == vfdItself || told.Code == "" && told.NIP == "" {
		return list
	}
	for i, bank := range list {
		if told.NIP != "" && bank.NIP == told.NIP || told.Code != "" && bank.Code == told.Code {
			list[i].Name = told.Name
			return list
		}
	}
	// A bank with only one known code uses that code for both.
	return append(list, rails.Bank{Code: cmp.Or(told.Code, told.NIP), NIP: cmp.Or(told.NIP, told.Code), Name: told.Name})
}

// Doubtful reports whether an account number's check digit does not fit the bank. It is only a warning: the bank
// decides.
func Doubtful(bank rails.Bank, number string) bool {
	code := bank.Code
	switch len(code) {
	case 3:
		code = "000" + code
	case 5:
		code = "9" + code
	}
	if len(code) != 6 || len(number) != 10 {
		return false
	}
	sum, digits := 0, code+number[:9]
	for i := range len(digits) {
		sum += int(digits[i]-'0') * [3]int{3, 7, 3}[i%3]
	}
	return (10-sum%10)%10 != int(number[9]-'0')
}
