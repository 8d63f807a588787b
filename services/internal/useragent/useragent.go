// Package useragent names devices for the people who use them.
package useragent

import "strings"

// charsMax is how long a name that a program gives itself may be.
const charsMax = 40

// browsers and systems in the order in which they are looked for: most name those before them.
var (
	browsers = [][2]string{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"},
		{"Chromium/", "Chromium"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
	}
	systems = [][2]string{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS X", "Mac"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	}
)

// Device is what a User-Agent says of itself, in a few words without versions, so that an update is no new device:
// “Chrome on Android”. It is the caller's own word, good for the owner to recognise and for nothing else.
func Device(userAgent string) string {
	userAgent = userAgent[:min(len(userAgent), 512)]
	browser, system := first(browsers, userAgent), first(systems, userAgent)
	switch {
	case browser != "" && system != "":
		return browser + " on " + system
	case browser+system != "":
		return browser + system
	}
	product, _, _ := strings.Cut(strings.TrimSpace(userAgent), "/")
	product = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune("<>&\"'", r) {
			return -1
		}
		return r
	}, product)
	if product = strings.TrimSpace(product[:min(len(product), charsMax)]); product == "" {
		return "An unknown device"
	}
	return product
}

func first(known [][2]string, userAgent string) string {
	for _, k := range known {
		if strings.Contains(userAgent, k[0]) {
			return k[1]
		}
	}
	return ""
}
