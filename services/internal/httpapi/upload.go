package httpapi

import (
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"

	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/fault"
)

const (
	// FileBytesMax is the size of the largest accepted file; the form around it may have a little more.
	FileBytesMax   = 5 << 20
	uploadBytesMax = FileBytesMax + 16<<10
	kindBytesMax   = 32
)

const fileTooLarge = "A file may have at most 5 MB. Please choose a smaller one."

// uploadPaths are the paths of forms with a file.
var uploadPaths = []string{"/api/file/profile", "/api/GroupSavings/save-group-document"}

// Upload reads a form with a file and its kind, each once and nothing else. It ignores the file's name.
func Upload(c *echo.Context) (kind string, file []byte, err error) {
	fields, err := Form(c, map[string]int{"file": FileBytesMax, "kind": kindBytesMax})
	return string(fields["kind"]), fields["file"], err
}

// Form reads a form's fields, each of them once and nothing else, of at most so many bytes.
func Form(c *echo.Context, most map[string]int) (map[string][]byte, error) {
	reader, err := c.Request().MultipartReader()
	if err != nil {
		return nil, fault.New(fault.Invalid, "Please send a form with a file, as multipart/form-data.")
	}
	fields := map[string][]byte{}
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, bodyFault(err)
		}
		if err := readPart(part, fields, most); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(most)) {
		if _, given := fields[name]; !given {
			return nil, fault.Field(name, "Please give %s: it is missing.", name)
		}
	}
	return fields, nil
}

func readPart(part *multipart.Part, fields map[string][]byte, bounds map[string]int) error {
	name := part.FormName()
	most, known := bounds[name]
	if !known {
		return unknownField(name)
	}
	if _, twice := fields[name]; twice {
		return fault.Field(name, "%s is given twice.", name)
	}
	data, err := io.ReadAll(io.LimitReader(part, int64(most)+1))
	if err != nil {
		return bodyFault(err)
	}
	if len(data) > most {
		if name != "file" {
			return fault.Field(name, "%s may have at most %d bytes.", name, most)
		}
		return &fault.Fault{Code: fault.TooLarge, Field: name, Message: fileTooLarge}
	}
	fields[name] = data
	return nil
}

// Attachment answers with a file for saving: a browser neither shows it as a page nor guesses its type, and caches no
// copy.
func Attachment(c *echo.Context, contentType string, data []byte) error {
	return NamedAttachment(c, "", contentType, data)
}

// NamedAttachment is an Attachment with a file name, of letters, digits, dashes and dots.
func NamedAttachment(c *echo.Context, name, contentType string, data []byte) error {
	header := c.Response().Header()
	header.Set("Content-Disposition", "attachment")
	if name != "" {
		header.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	}
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header["Cache-Control"] = noStore
	header["X-Content-Type-Options"] = nosniff
	return c.Blob(http.StatusOK, contentType, data)
}
