package prelude

import (
	"strconv"
	"strings"
)

// ends reports whether a character ends the authority.
func (p *urlParser) ends(c int) bool {
	return c == end || c == '/' || c == '?' || c == '#' || c == '\\' && p.u.special()
}

func (p *urlParser) authority(c int) verdict {
	switch {
	case c == '@':
		credentials := p.take()
		if p.sawAt {
			credentials = "%40" + credentials
		}
		p.sawAt = true
		if !p.sawPassword {
			var name string
			name, credentials, p.sawPassword = strings.Cut(credentials, ":")
			p.username.WriteString(percentEncode(name, userinfoSet))
		}
		p.password.WriteString(percentEncode(credentials, userinfoSet))
	case p.ends(c):
		buffered := p.take()
		if p.sawAt && buffered == "" {
			return failed
		}
		p.u.username += p.username.String()
		p.u.password += p.password.String()
		p.at -= len(buffered) + 1
		p.state = hostState
	default:
		p.buffer.WriteByte(byte(c))
	}
	return goOn
}

func (p *urlParser) host(c int) verdict {
	u, whole := p.u, p.override == noState
	switch {
	case !whole && u.scheme == "file":
		p.again(fileHostState)
	case c == ':' && !p.inBrackets:
		if p.buffer.Len() == 0 {
			return failed
		}
		if p.override == hostnameState {
			return failed
		}
		host, ok := parseHost(p.take(), !u.special())
		if !ok {
			return failed
		}
		u.host, u.hasHost = host, true
		p.state = portState
	case p.ends(c):
		p.at--
		text := p.take()
		if u.special() && text == "" {
			return failed
		}
		if !whole && text == "" && (u.username != "" || u.password != "" || u.port >= 0) {
			return failed
		}
		host, ok := parseHost(text, !u.special())
		if !ok {
			return failed
		}
		u.host, u.hasHost = host, true
		p.state = pathStartState
		if !whole {
			return done
		}
	default:
		switch c {
		case '[':
			p.inBrackets = true
		case ']':
			p.inBrackets = false
		}
		p.buffer.WriteByte(byte(c))
	}
	return goOn
}

func (p *urlParser) port(c int) verdict {
	u, whole := p.u, p.override == noState
	switch {
	case c != end && isDigit(byte(c)):
		p.buffer.WriteByte(byte(c))
	case p.ends(c) || !whole:
		if text := p.take(); text != "" {
			port, err := strconv.Atoi(text)
			if err != nil || port > 65535 {
				return failed
			}
			if own, _ := defaultPort(u.scheme); port == own {
				port = -1
			}
			u.port = port
			if !whole {
				return done
			}
		}
		if !whole {
			return failed
		}
		p.again(pathStartState)
	default:
		return failed
	}
	return goOn
}

func (p *urlParser) file(c int) {
	u := p.u
	u.scheme, u.host, u.hasHost = "file", "", true
	switch {
	case c == '/' || c == '\\':
		p.state = fileSlashState
	case p.base != nil && p.base.scheme == "file":
		u.host, u.hasHost = p.base.host, p.base.hasHost
		u.path = append([]string(nil), p.base.path...)
		u.query, u.hasQuery = p.base.query, p.base.hasQuery
		switch {
		case c == '?':
			u.query, u.hasQuery = "", true
			p.state = queryState
		case c == '#':
			u.fragment, u.hasFragment = "", true
			p.state = fragmentState
		case c != end:
			u.query, u.hasQuery = "", false
			if startsWithDrive(p.input[p.at:]) {
				u.path = nil
			} else {
				u.shorten()
			}
			p.again(pathState)
		}
	default:
		p.again(pathState)
	}
}

func (p *urlParser) fileHost(c int) verdict {
	u, whole := p.u, p.override == noState
	if c != end && c != '/' && c != '\\' && c != '?' && c != '#' {
		p.buffer.WriteByte(byte(c))
		return goOn
	}
	text := p.buffer.String()
	switch {
	case whole && isDrive(text):
		p.again(pathState) // the drive stays in the buffer
		return goOn
	case text == "":
		u.host, u.hasHost = "", true
		if !whole {
			return done
		}
	default:
		host, ok := parseHost(text, !u.special())
		if !ok {
			return failed
		}
		if host == "localhost" {
			host = ""
		}
		u.host, u.hasHost = host, true
		if !whole {
			return done
		}
	}
	p.buffer.Reset()
	p.again(pathStartState)
	return goOn
}
