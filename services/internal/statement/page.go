package statement

import (
	"fmt"

	"github.com/signintech/gopdf"
	"rsc.io/qr"
)

// Points of an A4 page, of which there are 72 to an inch.
const (
	margin    = 40.0
	wide      = 515.0
	rowHigh   = 17.0
	tableTop  = 186.0
	footerTop = 800.0
	codeWide  = 86.0
	// verificationRows is how high the verification is, in rows.
	verificationRows = 7
)

const (
	regular = "regular"
	bold    = "bold"
)

const (
	left = iota
	right
)

var blue, black = [3]uint8{0, 71, 204}, [3]uint8{20, 24, 31}

// page is the document while it is set. The first thing that goes wrong is kept, and the rest does nothing.
type page struct {
	pdf gopdf.GoPdf
	s   Statement
	y   float64 // Where the next row begins.
	of  int     // Pages in all.
	err error
}

func (p *page) note(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *page) ink(c [3]uint8) { p.pdf.SetTextColor(c[0], c[1], c[2]) }

// begin begins a page and sets its foot.
func (p *page) begin(n int) {
	p.pdf.AddPage()
	p.ink(black)
	p.y = margin
	issued := fmt.Sprintf("Issued %s Lagos time, as of ledger entry %d.", p.s.IssuedAt.Format("2 Jan 2006, 15:04"), p.s.Position)
	if p.s.Code != "" {
		issued += " Code " + p.s.Code
	}
	p.text(regular, 7.5, margin, footerTop+8, wide-70, left, issued)
	p.text(regular, 7.5, margin+wide-70, footerTop+8, 70, right, fmt.Sprintf("Page %d of %d", n, p.of))
}

// text writes one line within a width, cut where it is too long.
func (p *page) text(font string, size, x, y, width float64, align int, text string) {
	if text == "" || p.err != nil {
		return
	}
	p.note(p.pdf.SetFont(font, "", size))
	text = plain(text)
	measured := p.measure(text)
	for runes := []rune(text); measured > width && len(runes) > 0; measured = p.measure(text) {
		runes = runes[:len(runes)-1]
		text = string(runes) + "…"
	}
	if align == right {
		x += width - measured
	}
	p.pdf.SetXY(x, y)
	p.note(p.pdf.Cell(nil, text))
}

func (p *page) measure(text string) float64 {
	width, err := p.pdf.MeasureTextWidth(text)
	p.note(err)
	return width
}

// verification is the code, where to check it, and both as a QR code.
func (p *page) verification(what, check string, more ...string) {
	code, err := qr.Encode(p.s.Address, qr.M)
	if err != nil {
		p.note(err)
		return
	}
	top := p.y + rowHigh
	p.pdf.SetFillColor(black[0], black[1], black[2])
	dot := codeWide / float64(code.Size)
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				p.pdf.RectFromUpperLeftWithStyle(margin+float64(x)*dot, top+float64(y)*dot, dot, dot, "F")
			}
		}
	}
	x, beside := margin+codeWide+14, wide-codeWide-14
	p.text(bold, 11, x, top, beside, left, "Verification code "+p.s.Code)
	for n, line := range append([]string{
		"Anybody who holds this " + what + " can check it at the address below:",
		check,
		p.s.Address,
	}, more...) {
		p.text(regular, 8.5, x, top+20+float64(n)*13, beside, left, line)
	}
}
