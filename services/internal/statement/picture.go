package statement

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"rsc.io/qr"
)

// Pixels of the picture, which is as wide as a phone shows it sharply.
const (
	pictureWide = 1080
	pictureHigh = 4000 // More than any receipt needs; it is cut to what is used.
	edge        = 72
	qrWide      = 260
)

// parsed are the fonts, read once.
var parsed = sync.OnceValues(func() (map[string]*opentype.Font, error) {
	out := map[string]*opentype.Font{}
	for name, data := range fonts {
		f, err := opentype.Parse(data)
		if err != nil {
			return nil, err
		}
		out[name] = f
	}
	return out, nil
})

// picture is a picture while it is drawn. The first thing that goes wrong is kept, and the rest does nothing.
type picture struct {
	img *image.RGBA
	y   int // The foot of the last line.
	err error
}

func rgb(c [3]uint8) color.RGBA { return color.RGBA{c[0], c[1], c[2], 255} }

func (p *picture) face(name string, size float64) font.Face {
	all, err := parsed()
	if err == nil {
		var f font.Face
		if f, err = opentype.NewFace(all[name], &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull}); err == nil {
			return f
		}
	}
	p.err = err
	return nil
}

// write writes a text in as many lines as it takes, each so high.
func (p *picture) write(name string, size float64, ink color.RGBA, x, width, high int, text string) {
	if p.err != nil {
		return
	}
	face := p.face(name, size)
	if face == nil {
		return
	}
	defer func() { _ = face.Close() }()
	d := font.Drawer{Dst: p.img, Src: image.NewUniform(ink), Face: face}
	for _, line := range wrap(plain(text), float64(width), func(s string) float64 { return float64(d.MeasureString(s).Ceil()) }) {
		p.y += high
		d.Dot = fixed.P(x, p.y)
		d.DrawString(line)
	}
}

// code draws the address as a QR code.
func (p *picture) code(address string, top int) {
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		p.err = err
		return
	}
	dot := qrWide / code.Size
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				at := image.Rect(edge+x*dot, top+y*dot, edge+(x+1)*dot, top+(y+1)*dot)
				draw.Draw(p.img, at, image.NewUniform(rgb(black)), image.Point{}, draw.Src)
			}
		}
	}
}

// ReceiptPNG draws the receipt as a picture to send on.
func ReceiptPNG(r Receipt) ([]byte, error) {
	p := &picture{img: image.NewRGBA(image.Rect(0, 0, pictureWide, pictureHigh))}
	draw.Draw(p.img, p.img.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(p.img, image.Rect(0, 0, pictureWide, 16), image.NewUniform(rgb(blue)), image.Point{}, draw.Src)
	ink, muted, across := rgb(black), color.RGBA{84, 92, 106, 255}, pictureWide-2*edge
	p.y = 40
	p.write(bold, 52, rgb(blue), edge, across, 64, "Adashi")
	p.write(regular, 34, muted, edge, across, 60, receiptTitle)
	p.write(bold, 76, ink, edge, across, 96, r.Amount.String())
	p.y += 30
	for _, row := range r.rows() {
		p.y += 22
		p.write(regular, 28, muted, edge, across, 34, row[0])
		p.write(bold, 36, ink, edge, across, 44, row[1])
	}
	top := p.y + 60
	p.code(r.Address, top)
	beside, room := edge+qrWide+40, across-qrWide-40
	p.y = top - 4
	p.write(regular, 28, muted, beside, room, 34, "Verification code")
	p.write(bold, 36, ink, beside, room, 46, r.Code)
	p.write(regular, 26, muted, beside, room, 36, "Anybody can check it:")
	p.write(regular, 26, muted, beside, room, 36, r.Address)
	p.write(regular, 26, muted, beside, room, 36, r.issued())
	if p.err != nil {
		return nil, p.err
	}
	var out bytes.Buffer
	err := png.Encode(&out, p.img.SubImage(image.Rect(0, 0, pictureWide, max(p.y, top+qrWide)+edge)))
	return out.Bytes(), err
}
