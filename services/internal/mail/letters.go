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

// letter is what every letter says: a greeting, paragraphs, one button, and what to do when it was not you.
type letter struct {
	Subject    string
	Greeting   string
	Paragraphs []string
	Action     string
	Link       string
	Footer     string
}

// Verification asks the owner of a new account to click the link, which works once and for 24 hours.
func Verification(to, firstName, link string) Message {
	return write(to, letter{
		Subject:    "Confirm your email for Adashi",
		Greeting:   "Hello " + firstName + ",",
		Paragraphs: []string{"Welcome to Adashi. Kindly confirm that this is your email, and you can log in.", "The link works once, and for 24 hours."},
		Action:     "Confirm my email",
		Link:       link,
		Footer:     "If you did not sign up for Adashi, ignore this mail: without the link nobody can use your address.",
	})
}

// AlreadyRegistered tells an account's owner that somebody tried to sign up with their address.
func AlreadyRegistered(to, loginLink string) Message {
	return write(to, letter{
		Subject:    "You already have an Adashi account",
		Greeting:   "Hello,",
		Paragraphs: []string{"Somebody, perhaps you, tried to sign up for Adashi with this email. You already have an account, so nothing was changed.", "Log in with the password that you chose."},
		Action:     "Log in",
		Link:       loginLink,
		Footer:     "If it was not you, there is nothing that you need to do.",
	})
}

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
