package mail

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"reflect"
	"strings"
	texttemplate "text/template"
)

//go:embed templates/*
var templates embed.FS

var (
	letterHTML = htmltemplate.Must(htmltemplate.ParseFS(templates, "templates/letter.html"))
	letterText = texttemplate.Must(texttemplate.ParseFS(templates, "templates/letter.txt"))
)

// letter is what every letter says: a greeting, paragraphs, figures, one button, and what to do when it was not you.
type letter struct {
	Subject    string
	Greeting   string
	Paragraphs []string
	Figures    []figure // Of a receipt; may be none.
	Action     string   // May be empty: then there is no button.
	Link       string
	Footer     string
}

// figure is a line of a receipt.
type figure struct{ Label, Value string }

func hello(firstName string) string { return "Hello " + firstName + "," }

// form is a kind of letter with what this one says: its names, figures and link. That is all that is kept of it; the
// letter is written when it is sent or shown.
type form interface{ letter() letter }

// forms are all by name. Letters are kept under these names: none ever changes its meaning, and fields are only added.
var forms = map[string]form{
	"verification": verification{}, "already registered": alreadyRegistered{}, "password reset": passwordReset{},
	"password changed": passwordChanged{}, "confirm new email": confirmNewEmail{}, "email changed": emailChanged{},
	"new device": newDevice{}, "security alert": securityAlert{}, "tries at password": triesAtPassword{},
	"account closed": accountClosed{}, "invitation": invitation{}, "invitation withdrawn": invitationWithdrawn{}, "money received": moneyReceived{},
	"guardian request": guardianRequest{}, "guardian answered": guardianAnswered{}, "bvn result": bvnResult{}, "notice": notice{}, "payments": payments{},
}

var formNames = func() map[reflect.Type]string {
	names := make(map[reflect.Type]string, len(forms))
	for name, f := range forms {
		names[reflect.TypeOf(f)] = name
	}
	return names
}()

// about is a letter of a form. Its text is fixed now.
func about(to string, f form) Message {
	name, known := formNames[reflect.TypeOf(f)]
	if !known {
		panic(fmt.Sprintf("mail: %T has no name in forms", f))
	}
	return Message{To: to, form: name, said: plainJSON(f)}
}

// of marks a letter as one of a kind that is limited.
func of(kind Kind, m Message) Message {
	m.Kind = kind
	return m
}

// plainJSON writes as little as JSON may escape, so that what is said can be searched for.
func plainJSON(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // Forms are texts and flags.
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// Written is a letter as its reader gets it. HTML is a whole document; Text says the same.
type Written struct{ Subject, Text, HTML string }

// Write writes the letter. It fails on one of a form that this build does not know.
func (m Message) Write() (Written, error) {
	if m.form == "" {
		return m.old, nil
	}
	empty, known := forms[m.form]
	if !known {
		return Written{}, fmt.Errorf("mail: this build knows no letter %q", m.form)
	}
	said := reflect.New(reflect.TypeOf(empty))
	if err := json.Unmarshal([]byte(m.said), said.Interface()); err != nil {
		return Written{}, fmt.Errorf("mail: a letter %q cannot be read: %w", m.form, err)
	}
	return write(said.Elem().Interface().(form).letter())
}

func write(l letter) (Written, error) {
	var html bytes.Buffer
	var text strings.Builder
	if err := errors.Join(letterHTML.Execute(&html, l), letterText.Execute(&text, l)); err != nil {
		return Written{}, fmt.Errorf("mail: write: %w", err)
	}
	return Written{Subject: l.Subject, Text: text.String(), HTML: html.String()}, nil
}
