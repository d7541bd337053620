package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/responses-as-code/gg/gg"
)

// endTimeout bounds the end of a run: killing what is left takes its grace periods and not more.
const endTimeout = 30 * time.Second

// kind is one tool before it is made.
type kind struct {
	function    *gg.Function
	name        string
	description string
	reply       func(value json.RawMessage) (Reply, error) // of a call that did not fail
}

func (k kind) tool() (Tool, error) {
	d, err := newDialect(k.function)
	if err != nil {
		return Tool{}, err
	}
	return Tool{
		Name:        k.name,
		Description: k.description,
		Schema:      d.schema,
		Call: func(ctx context.Context, session gg.Session, info gg.RunInfo, args json.RawMessage) (Reply, error) {
			if info.Program == "" {
				info.Program = k.name
			}
			return k.call(ctx, session, info, d, args)
		},
	}, nil
}

// call does one call. Arguments that are refused go through the door as well: they are counted, seen and
// recorded like any others.
func (k kind) call(ctx context.Context, session gg.Session, info gg.RunInfo, d *dialect, args json.RawMessage) (reply Reply, err error) {
	run, err := session.Begin(ctx, info)
	if err != nil {
		return Reply{}, err
	}
	run.Emit(gg.Event{Kind: gg.RunStarted, Text: info.Program})
	defer func() {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
		defer cancel()
		ending, fault := run.End(bounded)
		if fault != nil {
			err = errors.Join(err, fmt.Errorf("end of the run: %w", fault))
		}
		reply.Warnings = ending.Warnings
		run.Emit(gg.Event{Kind: gg.RunEnded, Text: reply.status()})
	}()
	call := gg.Call{Seq: 1, Op: k.function.Name}
	translated, err := d.translate(args)
	if err != nil {
		call.Refused = gg.AsError(err)
	} else {
		call.Args = translated
	}
	result, err := run.Call(ctx, call)
	if err == nil {
		reply, err = k.reply(result.Value)
	}
	var failure *gg.Error
	if errors.As(err, &failure) {
		return replyFailure(failure), nil
	}
	return reply, err
}

func (r Reply) status() string {
	if r.IsError {
		return "error"
	}
	return "ok"
}

// replyFailure tells of a call that failed: why, and after an empty line what a command had printed by then.
func replyFailure(e *gg.Error) Reply {
	text := e.Message
	if e.Hint != "" {
		text += "\n" + e.Hint
	}
	if e.Data["output"] != nil {
		var printed shellResult
		if json.Unmarshal(mustJSON(e.Data), &printed) == nil {
			text += "\n\n" + printed.body()
		}
	}
	fields := map[string]json.RawMessage{}
	for name, value := range e.Data {
		fields[name] = value
	}
	if e.Hint != "" {
		fields["hint"] = mustJSON(e.Hint)
	}
	fields["code"], fields["message"] = mustJSON(e.Code), mustJSON(e.Message)
	return Reply{
		Text: text, IsError: true, Code: e.Code, Cause: e,
		Structured: mustJSON(map[string]any{"error": fields}),
	}
}

// plain offers a function as it is: its page in short, its result as JSON, or as it is when it is a text.
func plain(f *gg.Function) kind {
	name := snake(f.Base())
	if module := f.Module(); module != "" {
		name = snake(module) + "_" + name
	}
	description := strings.ToUpper(f.Brief[:1]) + f.Brief[1:] + "."
	if detail := strings.TrimSpace(f.Detail); detail != "" {
		description += " " + detail
	}
	return kind{function: f, name: name, description: description, reply: replyValue}
}

// replyValue shows a result.
func replyValue(value json.RawMessage) (Reply, error) {
	if len(value) == 0 {
		return Reply{Text: "(done)", Structured: json.RawMessage("null")}, nil
	}
	var text string
	if json.Unmarshal(value, &text) == nil && value[0] == '"' {
		return Reply{Text: text, Structured: value}, nil
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, value, "", "  "); err != nil {
		return Reply{}, err
	}
	return Reply{Text: indented.String(), Structured: value}, nil
}

// mustJSON writes a value that always encodes, without HTML escapes.
func mustJSON(v any) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

func quoted(names []string) string {
	return `"` + strings.Join(names, `", "`) + `"`
}
