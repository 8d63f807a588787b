package mail

import (
	"bytes"
	"embed"
	htmltemplate "html/template"
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

// write renders the letter twice. The templates are ours and fixed, so they cannot fail but by our mistake.
func write(to string, l letter) Message {
	var html bytes.Buffer
	var text strings.Builder
	if err := letterHTML.Execute(&html, l); err != nil {
		panic(err)
	}
	if err := letterText.Execute(&text, l); err != nil {
		panic(err)
	}
	return Message{To: to, Subject: l.Subject, Text: text.String(), HTML: html.String()}
}

// of marks a letter as one of a kind that is limited.
func of(kind Kind, m Message) Message {
	m.Kind = kind
	return m
}
