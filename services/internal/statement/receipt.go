package statement

import (
	"strconv"
	"strings"
	"time"

	"github.com/signintech/gopdf"

	"adashi.ng/ledger/base/money"
)

// Receipt is what a receipt says of one movement. Times are shown as they are given.
type Receipt struct {
	Title, Holder, Group string
	Way                  string // What the holder has to do with the money, such as "Paid by".
	State                string // What became of the money, in a sentence. Empty where it was paid and nothing took it back.
	Amount               money.Kobo
	At                   time.Time
	Settled              []string // The dues that it went to.
	Reference            string
	Position             int64
	IssuedAt             time.Time
	Code, Address        string
}

const receiptTitle = "Receipt"

func (r Receipt) issued() string {
	return "Issued " + r.IssuedAt.Format("2 Jan 2006, 15:04") + " Lagos time."
}

// settledMax is how many dues a receipt names one by one. More than that would not leave its code room on the paper.
const settledMax = 12

// settled names the dues that the payment settled: each of a few, else how many there are, with the first and the last.
func (r Receipt) settled() string {
	if n := len(r.Settled); n > settledMax {
		return strconv.Itoa(n) + " dues, the first of " + r.Settled[0] + " and the last of " + r.Settled[n-1]
	}
	return strings.Join(r.Settled, ", ")
}

// rows are its facts by name; what there is nothing to say of is left out.
func (r Receipt) rows() (rows [][2]string) {
	for _, row := range [][2]string{
		{r.Way, r.Holder},
		{"For", r.Title},
		{"Group", r.Group},
		{"State", r.State},
		{"It settled", r.settled()},
		{"When", r.At.Format("2 Jan 2006, 15:04") + ", Lagos time"},
		{"Reference", r.Reference},
		{"Place in the ledger", strconv.FormatInt(r.Position, 10)},
	} {
		if row[1] != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// The receipt's own columns.
const (
	nameWide  = 120.0
	lineHigh  = 16.0
	valueSize = 10.5
)

// ReceiptPDF sets the receipt on one page.
func ReceiptPDF(r Receipt) ([]byte, error) {
	p := &page{s: Statement{Code: r.Code, Address: r.Address, Position: r.Position, IssuedAt: r.IssuedAt}, of: 1}
	p.open(receiptTitle + " " + r.Code)
	p.begin(1)
	p.ink(blue)
	p.text(bold, 22, margin, 40, wide, left, "Adashi")
	p.ink(black)
	p.text(bold, 13, margin, 72, wide, left, receiptTitle)
	p.text(bold, 26, margin, 98, wide, left, r.Amount.String())
	p.y = 150
	for _, row := range r.rows() {
		p.text(regular, valueSize, margin, p.y, nameWide, left, row[0])
		for _, line := range p.lines(row[1], wide-nameWide) {
			p.text(bold, valueSize, margin+nameWide, p.y, wide-nameWide, left, line)
			p.y += lineHigh
		}
		p.y += 6
	}
	p.verification("receipt", "what it says there must be what is printed here.")
	if p.err != nil {
		return nil, p.err
	}
	return p.pdf.GetBytesPdfReturnErr()
}

// lines cuts a text to a width.
func (p *page) lines(text string, width float64) []string {
	p.note(p.pdf.SetFont(bold, "", valueSize))
	return wrap(plain(text), width, p.measure)
}

// wrap cuts a text into lines of a width, between words where it can and within one that is too long.
func wrap(text string, width float64, measure func(string) float64) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if joined := strings.TrimSpace(line + " " + word); measure(joined) <= width {
			line = joined
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = ""
		for _, r := range word {
			if line != "" && measure(line+string(r)) > width {
				lines, line = append(lines, line), ""
			}
			line += string(r)
		}
	}
	return append(lines, line)
}

// open begins the document.
func (p *page) open(title string) {
	p.pdf.Start(gopdf.Config{PageSize: *gopdf.PageSizeA4})
	for name, font := range fonts {
		p.note(p.pdf.AddTTFFontData(name, font))
	}
	p.pdf.SetInfo(gopdf.PdfInfo{Title: strings.TrimSpace(title), Creator: "Adashi", Producer: "Adashi", CreationDate: p.s.IssuedAt})
}
