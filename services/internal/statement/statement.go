// Package statement sets a wallet's statement, a group's book or a receipt as a PDF, and a receipt as a picture: with a
// font of its own that has the naira sign, and nothing in it that does anything but be read.
package statement

import (
	"slices"
	"time"

	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"

	"adashi.ng/ledger/base/money"
)

var fonts = map[string][]byte{regular: liberationsansregular.TTF, bold: liberationsansbold.TTF}

// MovementsMax is how many movements a statement or a book has at most.
const MovementsMax = 5_000

// Statement is what a statement says. Times are shown as they are given.
type Statement struct {
	Title                     string // Wallet statement when empty.
	Holder                    string
	From, To                  time.Time // Its first and last day.
	Opening, Closing, In, Out money.Kobo
	Lines                     []Line
	Position                  int64 // The ledger's position that it stands for.
	IssuedAt                  time.Time
	Code                      string // Empty for one that nobody can check.
	Address                   string // Where anybody can check the code.
}

// Line is one movement.
type Line struct {
	At      time.Time
	What    string
	In, Out money.Kobo // One of the two is nil.
	Balance money.Kobo // After it.
	Note    string     // It is no movement: a sentence across the row, of which the day is shown where there is one.
}

func (s Statement) title() string {
	if s.Title == "" {
		return "Wallet statement"
	}
	return s.Title
}

// PDF sets the statement.
func PDF(s Statement) ([]byte, error) {
	p := &page{s: s}
	p.open(s.title() + " " + s.Code)
	sheets, alone := sheets(s.Lines, s.Code != "")
	p.of = len(sheets)
	for n, lines := range sheets {
		p.begin(n + 1)
		if n == 0 {
			p.head()
		}
		if n == 0 || !alone || n < len(sheets)-1 {
			p.table(lines)
		}
		if n == len(sheets)-1 && s.Code != "" {
			p.verification("statement", "the sums there must be the ones that are printed here.", "Balances are sums of the ledger, by when each movement counts from.")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.pdf.GetBytesPdfReturnErr()
}

// sheets cuts the lines into pages. The verification stays together: alone says that it has the last page for itself.
func sheets(lines []Line, verified bool) (cut [][]Line, alone bool) {
	first := min(len(lines), rowsOn(tableTop))
	cut = [][]Line{lines[:first]}
	for more := range slices.Chunk(lines[first:], rowsOn(margin)) {
		cut = append(cut, more)
	}
	top := margin
	if len(cut) == 1 {
		top = tableTop
	}
	if verified && len(cut[len(cut)-1])+verificationRows > rowsOn(top) {
		return append(cut, nil), true
	}
	return cut, false
}

// rowsOn is how many rows a page takes whose table begins so far down.
func rowsOn(top float64) int { return int((footerTop-top)/rowHigh) - 1 }

func day(t time.Time) string { return t.Format("2 Jan 2006") }

// head is the statement's own, on its first page.
func (p *page) head() {
	p.ink(blue)
	p.text(bold, 22, margin, 40, wide, left, "Adashi")
	p.ink(black)
	p.text(bold, 13, margin, 70, wide, left, p.s.title())
	p.text(regular, 10, margin, 90, wide, left, p.s.Holder)
	p.text(regular, 10, margin, 106, wide, left, day(p.s.From)+" to "+day(p.s.To)+", days of Lagos")
	p.pdf.SetFillColor(240, 244, 252)
	p.pdf.RectFromUpperLeftWithStyle(margin, 128, wide, 42, "F")
	for n, figure := range []struct {
		name   string
		amount money.Kobo
	}{{"Opening balance", p.s.Opening}, {"Money in", p.s.In}, {"Money out", p.s.Out}, {"Closing balance", p.s.Closing}} {
		x := margin + 8 + float64(n)*wide/4
		p.text(regular, 8, x, 134, wide/4, left, figure.name)
		p.text(bold, 11, x, 147, wide/4, left, figure.amount.String())
	}
	p.y = tableTop
}

// columns are the table's, with how far each reaches to the right.
var columns = []struct {
	name  string
	wide  float64
	align int
}{{"Day", 62, left}, {"What", 196, left}, {"In", 84, right}, {"Out", 84, right}, {"Balance", 89, right}}

func (p *page) table(lines []Line) {
	p.row(bold, "Day", "What", "In", "Out", "Balance")
	for _, l := range lines {
		if l.Note != "" {
			p.noted(l)
			continue
		}
		p.row(regular, day(l.At), l.What, unlessNil(l.In), unlessNil(l.Out), l.Balance.String())
	}
	if len(p.s.Lines) == 0 {
		p.text(regular, 9, margin, p.y+4, wide, left, "No money moved in this time.")
		p.y += rowHigh
	}
}

// noted is a sentence across the row.
func (p *page) noted(l Line) {
	if !l.At.IsZero() {
		p.text(regular, 8.5, margin, p.y+4, columns[0].wide-6, left, day(l.At))
	}
	p.text(regular, 8.5, margin+columns[0].wide, p.y+4, wide-columns[0].wide, left, l.Note)
	p.y += rowHigh
}

func (p *page) row(font string, cells ...string) {
	x := margin
	for n, c := range columns {
		p.text(font, 8.5, x, p.y+4, c.wide-6, c.align, cells[n])
		x += c.wide
	}
	p.y += rowHigh
	p.pdf.SetLineWidth(0.4)
	p.pdf.SetStrokeColor(200, 206, 216)
	p.pdf.Line(margin, p.y, margin+wide, p.y)
}

func unlessNil(k money.Kobo) string {
	if k == 0 {
		return ""
	}
	return k.String()
}
