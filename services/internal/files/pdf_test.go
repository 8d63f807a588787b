package files

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// withObjects is a PDF with additional objects.
func withObjects(objects string) []byte {
	return []byte("%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n" + objects + "\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n")
}

// A file can be attached without the name /EmbeddedFile, whose /Type may be left out (ISO 32000-1, 7.11.4). We cannot
// check objects in any encoding but Flate, such as ASCIIHex, ASCII85 or LZW.
func TestAPDFWithFilesOrScriptsInItIsRefusedHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	attached := withObjects("4 0 obj\n<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /Type /Filespec /F (invoice.exe) /EF << /F 5 0 R >> >> >>\nendobj\n" +
		"5 0 obj\n<< /Length 4 >>\nstream\nMZ..\nendstream\nendobj")
	assert.Error(t, checkPDF(attached), "a program is attached")

	script := "6 0 << /S /JavaScript /JS (app.launchURL('https://evil.example')) >>"
	asHex := fmt.Sprintf("7 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /ASCIIHexDecode /Length %d >>\nstream\n%s>\nendstream\nendobj", 2*len(script)+1, hex.EncodeToString([]byte(script)))
	assert.Error(t, checkPDF(withObjects(asHex)), "a script in an object stream of ASCIIHexDecode")

	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write([]byte(script))
	_ = z.Close()
	var armoured bytes.Buffer
	a := ascii85.NewEncoder(&armoured)
	_, _ = a.Write(packed.Bytes())
	_ = a.Close()
	as85 := fmt.Sprintf("7 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter [/ASCII85Decode /FlateDecode] /Length %d >>\nstream\n%s~>\nendstream\nendobj", armoured.Len()+2, armoured.String())
	assert.Error(t, checkPDF(withObjects(as85)), "a script in an object stream of ASCII85Decode and FlateDecode")

	for name, head := range map[string]string{
		"a name in other letters":         "/Type /Obj#53tm /N 1 /First 4 /Filter /LZW#44ecode",
		"a short name":                    "/Type/ObjStm/N 1/First 4/F/AHx",
		"a coding that is said elsewhere": "/Type /ObjStm /N 1 /First 4 /Filter 9 0 R",
	} {
		assert.Error(t, checkPDF(withObjects("7 0 obj\n<< "+head+" /Length 4 >>\nstream\nAAAA\nendstream\nendobj")), name)
	}
	assert.Error(t, checkPDF(withObjects("4 0 obj\n<< /Type /Filespec /F (a) /E#46 5 0 R >>\nendobj")), "the attached file is elsewhere")

	var honest bytes.Buffer
	z = zlib.NewWriter(&honest)
	_, _ = z.Write([]byte("6 0 << /Type /Page >>"))
	_ = z.Close()
	object := fmt.Sprintf("7 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream\nendobj", honest.Len(), honest.String())
	picture := "8 0 obj\n<< /Subtype /Image /Filter [/ASCII85Decode /DCTDecode] /Length 4 >>\nstream\nAAAA\nendstream\nendobj"
	assert.NoError(t, checkPDF(withObjects(object+"\n"+picture)), "what printers write is taken")

	plain := withObjects("4 0 obj\n<< /Length 12 >>\nstream\nBT (Hi) Tj ET\nendstream\nendobj")
	assert.NoError(t, checkPDF(plain), "and an honest one is taken")
}
