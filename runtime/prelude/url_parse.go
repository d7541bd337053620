package prelude

import "strings"

// urlState is a state of the basic URL parser of the URL standard. The names are those of the standard, and so
// is what is done in each.
type urlState int

const (
	noState urlState = iota
	schemeStartState
	schemeState
	noSchemeState
	specialRelativeOrAuthorityState
	pathOrAuthorityState
	relativeState
	relativeSlashState
	specialAuthoritySlashesState
	specialAuthorityIgnoreSlashesState
	authorityState
	hostState
	hostnameState
	portState
	fileState
	fileSlashState
	fileHostState
	pathStartState
	pathState
	opaquePathState
	queryState
	fragmentState
)

// parseURL parses a URL, relative to base if that is not nil. It returns nil for what is none.
func parseURL(input string, base *urlRecord) *urlRecord {
	input = strings.TrimFunc(input, func(c rune) bool { return c <= ' ' })
	u := &urlRecord{port: -1}
	p := &urlParser{input: removeTabs(input), base: base, u: u, state: schemeStartState}
	if !p.run() {
		return nil
	}
	return u
}

// parseInto parses a part of a URL and puts it into u. Where the part is wrong, what came before that is kept:
// the host of `example.com:port`, say.
func parseInto(u *urlRecord, input string, state urlState) {
	(&urlParser{input: input, u: u, state: state, override: state}).run()
}

// urlParser is one run of the parser. It works on bytes: every character that means something is ASCII.
type urlParser struct {
	input    string
	at       int // the pointer
	base     *urlRecord
	u        *urlRecord
	state    urlState
	override urlState // noState: a whole URL is parsed

	buffer                         strings.Builder
	username, password             strings.Builder
	sawAt, sawPassword, inBrackets bool
}

// verdict is what a step of the parser comes to.
type verdict int

const (
	goOn verdict = iota
	done
	failed
)

const end = -1 // the character after the last

func (p *urlParser) run() bool {
	for {
		c := end
		if p.at < len(p.input) {
			c = int(p.input[p.at])
		}
		switch p.step(c) {
		case failed:
			return false
		case done:
			return true
		}
		if c == end && p.at >= len(p.input) {
			return true
		}
		p.at++
	}
}

// again makes the parser look at the same character in another state.
func (p *urlParser) again(state urlState) {
	p.state = state
	p.at--
}

func (p *urlParser) rest() string { return p.input[min(p.at+1, len(p.input)):] }

func (p *urlParser) take() string {
	s := p.buffer.String()
	p.buffer.Reset()
	return s
}

func (p *urlParser) step(c int) verdict {
	u, whole := p.u, p.override == noState
	switch p.state {
	case schemeStartState:
		switch {
		case c != end && isAlpha(rune(c)):
			p.buffer.WriteByte(byte(c) | 0x20)
			p.state = schemeState
		case whole:
			p.again(noSchemeState)
		default:
			return failed
		}
	case schemeState:
		return p.scheme(c)
	case noSchemeState:
		switch {
		case p.base == nil || p.base.opaque && c != '#':
			return failed
		case p.base.opaque:
			*u = *p.base
			u.fragment, u.hasFragment = "", true
			p.state = fragmentState
		case p.base.scheme != "file":
			p.again(relativeState)
		default:
			p.again(fileState)
		}
	case specialRelativeOrAuthorityState:
		if c == '/' && strings.HasPrefix(p.rest(), "/") {
			p.state = specialAuthorityIgnoreSlashesState
			p.at++
		} else {
			p.again(relativeState)
		}
	case pathOrAuthorityState:
		if c == '/' {
			p.state = authorityState
		} else {
			p.again(pathState)
		}
	case relativeState:
		u.scheme = p.base.scheme
		switch {
		case c == '/':
			p.state = relativeSlashState
		case u.special() && c == '\\':
			p.state = relativeSlashState
		default:
			p.inherit(c)
		}
	case relativeSlashState:
		switch {
		case u.special() && (c == '/' || c == '\\'):
			p.state = specialAuthorityIgnoreSlashesState
		case c == '/':
			p.state = authorityState
		default:
			u.username, u.password = p.base.username, p.base.password
			u.host, u.hasHost, u.port = p.base.host, p.base.hasHost, p.base.port
			p.again(pathState)
		}
	case specialAuthoritySlashesState:
		if c == '/' && strings.HasPrefix(p.rest(), "/") {
			p.state = specialAuthorityIgnoreSlashesState
			p.at++
		} else {
			p.again(specialAuthorityIgnoreSlashesState)
		}
	case specialAuthorityIgnoreSlashesState:
		if c != '/' && c != '\\' {
			p.again(authorityState)
		}
	case authorityState:
		return p.authority(c)
	case hostState, hostnameState:
		return p.host(c)
	case portState:
		return p.port(c)
	case fileState:
		p.file(c)
	case fileSlashState:
		switch {
		case c == '/' || c == '\\':
			p.state = fileHostState
		default:
			if p.base != nil && p.base.scheme == "file" {
				u.host, u.hasHost = p.base.host, p.base.hasHost
				if !startsWithDrive(p.input[min(p.at, len(p.input)):]) && len(p.base.path) > 0 && isNormalDrive(p.base.path[0]) {
					u.path = append(u.path, p.base.path[0])
				}
			}
			p.again(pathState)
		}
	case fileHostState:
		return p.fileHost(c)
	case pathStartState:
		switch {
		case u.special():
			p.state = pathState
			if c != '/' && c != '\\' {
				p.at--
			}
		case whole && c == '?':
			u.query, u.hasQuery = "", true
			p.state = queryState
		case whole && c == '#':
			u.fragment, u.hasFragment = "", true
			p.state = fragmentState
		case c != end:
			p.state = pathState
			if c != '/' {
				p.at--
			}
		case !whole && !u.hasHost:
			u.path = append(u.path, "")
		}
	case pathState:
		p.path(c)
	case opaquePathState:
		switch {
		case c == '?':
			u.opaquePath = p.take()
			u.query, u.hasQuery = "", true
			p.state = queryState
		case c == '#':
			u.opaquePath = p.take()
			u.fragment, u.hasFragment = "", true
			p.state = fragmentState
		case c == ' ':
			if rest := p.rest(); rest != "" && (rest[0] == '?' || rest[0] == '#') {
				p.buffer.WriteString("%20")
			} else {
				p.buffer.WriteByte(' ')
			}
		case c != end:
			p.encode(c, controlSet)
		default:
			u.opaquePath = p.take()
		}
	case queryState:
		switch {
		case whole && c == '#' || c == end:
			u.query += p.take()
			u.hasQuery = true
			if c == '#' {
				u.fragment, u.hasFragment = "", true
				p.state = fragmentState
			}
		case u.special():
			p.encode(c, specialQuerySet)
		default:
			p.encode(c, querySet)
		}
	case fragmentState:
		if c == end {
			u.fragment, u.hasFragment = p.take(), true
		} else {
			p.encode(c, fragmentSet)
		}
	}
	return goOn
}

func (p *urlParser) encode(c int, set encodeSet) {
	if set(byte(c)) {
		writePercent(&p.buffer, byte(c))
	} else {
		p.buffer.WriteByte(byte(c))
	}
}

func (p *urlParser) scheme(c int) verdict {
	u, whole := p.u, p.override == noState
	switch {
	case c != end && (isAlpha(rune(c)) || isDigit(byte(c)) || c == '+' || c == '-' || c == '.'):
		if isAlpha(rune(c)) {
			c |= 0x20
		}
		p.buffer.WriteByte(byte(c))
	case c == ':':
		scheme := p.take()
		if !whole {
			_, special := defaultPort(scheme)
			switch {
			case u.special() != special,
				(u.username != "" || u.password != "" || u.port >= 0) && scheme == "file",
				u.scheme == "file" && u.host == "":
				return done
			}
			u.scheme = scheme
			if port, _ := defaultPort(scheme); port == u.port {
				u.port = -1
			}
			return done
		}
		u.scheme = scheme
		switch {
		case scheme == "file":
			p.state = fileState
		case u.special() && p.base != nil && p.base.scheme == scheme:
			p.state = specialRelativeOrAuthorityState
		case u.special():
			p.state = specialAuthoritySlashesState
		case strings.HasPrefix(p.rest(), "/"):
			p.state = pathOrAuthorityState
			p.at++
		default:
			u.opaque = true
			p.state = opaquePathState
		}
	case whole:
		p.buffer.Reset()
		p.state = noSchemeState
		p.at = -1
	default:
		return failed
	}
	return goOn
}

// inherit takes what a relative URL does not say from the base.
func (p *urlParser) inherit(c int) {
	u := p.u
	u.username, u.password = p.base.username, p.base.password
	u.host, u.hasHost, u.port = p.base.host, p.base.hasHost, p.base.port
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
		u.shorten()
		p.again(pathState)
	}
}

func (p *urlParser) path(c int) {
	u, whole := p.u, p.override == noState
	slash := c == '/' || u.special() && c == '\\'
	if c != end && !slash && !(whole && (c == '?' || c == '#')) {
		p.encode(c, pathSet)
		return
	}
	segment := p.take()
	switch {
	case isDoubleDot(segment):
		u.shorten()
		if !slash {
			u.path = append(u.path, "")
		}
	case isSingleDot(segment):
		if !slash {
			u.path = append(u.path, "")
		}
	default:
		if u.scheme == "file" && len(u.path) == 0 && isDrive(segment) {
			segment = segment[:1] + ":"
		}
		u.path = append(u.path, segment)
	}
	switch c {
	case '?':
		u.query, u.hasQuery = "", true
		p.state = queryState
	case '#':
		u.fragment, u.hasFragment = "", true
		p.state = fragmentState
	}
}
