// Package statement sets a wallet's statement as a PDF: a page size and font of its own, nothing in it that does
// anything but be read.
package statement

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"rsc.io/qr"

	"adashi.ng/ledger/money"
)

// Statement is what a statement says. Times are shown as they are given.
type Statement struct {
	Holder                    string
	From, To                  time.Time // Its first and last day.
	Opening, Closing, In, Out money.Kobo
	Lines                     []Line
	Position                  int64 // The ledger's position that it stands for.
	IssuedAt                  time.Time
	Code                      string
	Address                   string // Where anybody can check the code.
}

// Line is one movement.
type Line struct {
	At      time.Time
	What    string
	In, Out money.Kobo // One of the two is nil.
	Balance money.Kobo // After it.
}

// Millimetres of an A4 page.
const (
	margin  = 14.0
	bottom  = 18.0
	rowHigh = 6.2
	family  = "liberation"
)

// widths are those of the table's columns: day, what, in, out, balance.
var widths = []float64{22, 70, 29, 29, 32}

// PDF sets the statement.
func PDF(s Statement) ([]byte, error) {
	p := page{fpdf.New("P", "mm", "A4", ""), s}
	p.AddUTF8FontFromBytes(family, "", liberationsansregular.TTF)
	p.AddUTF8FontFromBytes(family, "B", liberationsansbold.TTF)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(true, bottom)
	p.SetCellMargin(1)
	p.SetTitle("Wallet statement "+s.Code, true)
	p.SetCreator("Adashi", true)
	p.SetLang("en-NG")
	p.SetCreationDate(s.IssuedAt)
	p.SetModificationDate(s.IssuedAt)
	p.AliasNbPages("{pages}")
	p.SetFooterFunc(p.footer)
	p.AddPage()
	p.head()
	p.figures()
	p.SetHeaderFunc(p.columns) // From the second page on.
	p.columns()
	for _, line := range s.Lines {
		p.row(line)
	}
	if len(s.Lines) == 0 {
		p.SetFont(family, "", 9)
		p.CellFormat(0, rowHigh*1.5, "No money moved in this time.", "", 1, "C", false, 0, "")
	}
	if err := p.verification(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err := p.Output(&out)
	return out.Bytes(), err
}

// page is the document while it is set.
type page struct {
	*fpdf.Fpdf
	s Statement
}

func day(t time.Time) string { return t.Format("2 Jan 2006") }

func (p page) head() {
	p.SetTextColor(0, 71, 204)
	p.SetFont(family, "B", 20)
	p.CellFormat(0, 10, "Adashi", "", 1, "L", false, 0, "")
	p.SetTextColor(20, 24, 31)
	p.SetFont(family, "B", 13)
	p.CellFormat(0, 8, "Wallet statement", "", 1, "L", false, 0, "")
	p.SetFont(family, "", 10)
	p.CellFormat(0, 5.5, plain(p.s.Holder), "", 1, "L", false, 0, "")
	p.CellFormat(0, 5.5, day(p.s.From)+" to "+day(p.s.To)+", days of Lagos", "", 1, "L", false, 0, "")
	p.Ln(3)
}

// figures are the sums.
func (p page) figures() {
	p.SetFillColor(240, 244, 252)
	wide := 182.0 / 4
	p.SetFont(family, "", 8)
	for _, name := range []string{"Opening balance", "Money in", "Money out", "Closing balance"} {
		p.CellFormat(wide, 6, name, "", 0, "L", true, 0, "")
	}
	p.Ln(-1)
	p.SetFont(family, "B", 11)
	for _, amount := range []money.Kobo{p.s.Opening, p.s.In, p.s.Out, p.s.Closing} {
		p.CellFormat(wide, 8, amount.String(), "", 0, "L", true, 0, "")
	}
	p.Ln(12)
}

func (p page) columns() {
	p.SetFont(family, "B", 8.5)
	p.SetDrawColor(200, 206, 216)
	for i, name := range []string{"Day", "What", "In", "Out", "Balance"} {
		p.CellFormat(widths[i], rowHigh, name, "B", 0, align(i), false, 0, "")
	}
	p.Ln(-1)
}

func align(column int) string {
	if column < 2 {
		return "L"
	}
	return "R"
}

func (p page) row(l Line) {
	p.SetFont(family, "", 8.5)
	for i, cell := range []string{day(l.At), l.What, unlessNil(l.In), unlessNil(l.Out), l.Balance.String()} {
		p.CellFormat(widths[i], rowHigh, p.fitted(plain(cell), widths[i]-2), "B", 0, align(i), false, 0, "")
	}
	p.Ln(-1)
}

func unlessNil(k money.Kobo) string {
	if k == 0 {
		return ""
	}
	return k.String()
}

// fitted is a text cut to a width. Figures always fit.
func (p page) fitted(text string, width float64) string {
	if p.GetStringWidth(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && p.GetStringWidth(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// plain leaves out what the font's tables cannot hold.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r > 0xFFFF {
			return '□'
		}
		return r
	}, text)
}

// The QR code and the words beside it, which stay together.
const (
	codeWide   = 30.0
	closeBlock = codeWide + 12
)

func (p page) verification() error {
	code, err := qr.Encode(p.s.Address, qr.M)
	if err != nil {
		return err
	}
	_, high := p.GetPageSize()
	if p.GetY()+closeBlock > high-bottom {
		p.SetHeaderFunc(nil)
		p.AddPage()
	}
	p.Ln(6)
	top := p.GetY()
	p.SetFillColor(20, 24, 31)
	dot := codeWide / float64(code.Size)
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				p.Rect(margin+float64(x)*dot, top+float64(y)*dot, dot, dot, "F")
			}
		}
	}
	p.SetLeftMargin(margin + codeWide + 5)
	p.SetXY(margin+codeWide+5, top)
	p.SetFont(family, "B", 11)
	p.CellFormat(0, 6, "Verification code "+p.s.Code, "", 1, "L", false, 0, "")
	p.SetFont(family, "", 8.5)
	p.MultiCell(0, 4.6, "Anybody who holds this statement can check it at the address below: the sums there must be the ones printed here. "+
		"Balances are sums of the ledger by when each movement counts from.", "", "L", false)
	p.MultiCell(0, 4.6, p.s.Address, "", "L", false)
	p.SetLeftMargin(margin)
	return nil
}

func (p page) footer() {
	p.SetY(-12)
	p.SetFont(family, "", 7.5)
	p.CellFormat(91, 4, "Issued "+p.s.IssuedAt.Format("2 Jan 2006, 15:04")+" Lagos time, as of ledger entry "+strconv.FormatInt(p.s.Position, 10)+". Code "+p.s.Code, "", 0, "L", false, 0, "")
	p.CellFormat(91, 4, "Page "+strconv.Itoa(p.PageNo())+" of {pages}", "", 0, "R", false, 0, "")
}
