import { describe, expect, test } from 'vitest'
import { anthropicEvents, playAnswer } from '../answer/test-play-answer.ts'
import { readAnswer } from '../read-answer.ts'

const play = (pieces: Iterable<string>, type = 'text/event-stream') =>
  readAnswer(playAnswer(pieces, { wire: 'anthropic', type }))

const text = { type: 'text', text: '' }
const use = { type: 'tool_use', id: 'toolu_1', name: 'one', input: {} }
const textPiece = (piece: string) => ({ type: 'text_delta', text: piece })
const jsonPiece = (partial_json: string) => ({ type: 'input_json_delta', partial_json })

describe('a message', () => {
  test('gives thoughts with their seal, hidden thoughts, text, calls and all tokens', async () => {
    const events = anthropicEvents(
      [
        {
          start: { type: 'thinking', thinking: '', signature: '' },
          deltas: [
            { type: 'thinking_delta', thinking: 'Let ' },
            { type: 'thinking_delta', thinking: 'me see' },
            { type: 'signature_delta', signature: 'sealed' },
          ],
        },
        { start: { type: 'redacted_thinking', data: 'hidden' } },
        { start: text, deltas: [textPiece('Hal'), textPiece('lo 你好'), textPiece(' "x"')] },
        { start: use, deltas: [jsonPiece(''), jsonPiece('{"x"'), jsonPiece(':1}')] },
        { start: { ...use, id: 'toolu_2', name: 'two', input: { y: 2 } } },
        { start: { ...use, id: 'toolu_3', name: 'three' } },
      ],
      'tool_use',
    )
    expect(await play([events.join('')])).toEqual({
      text: 'Hallo 你好 "x"',
      reasoning: [
        { text: 'Let me see' },
        { text: '', signature: 'sealed' },
        { text: '', redacted: 'hidden' },
      ],
      calls: [
        { type: 'tool_call', id: 'toolu_1', name: 'one', arguments: { x: 1 }, raw: '{"x":1}' },
        { type: 'tool_call', id: 'toolu_2', name: 'two', arguments: { y: 2 }, raw: '{"y":2}' },
        { type: 'tool_call', id: 'toolu_3', name: 'three', arguments: {}, raw: '{}' },
      ],
      usage: { prompt_tokens: 113, completion_tokens: 7, cached_tokens: 100 },
      finish: 'tool_calls',
      model: undefined,
    })
  })

  test.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'refusal'],
    ['pause_turn', 'other'],
    ['something_new', 'other'],
  ])('stop reason %s is %s', async (reason, finish) => {
    const events = anthropicEvents([{ start: text, deltas: [textPiece('Hi')] }], reason)
    expect((await play(events)).finish).toBe(finish)
  })

  test.each([
    ['overloaded_error', 'unavailable'],
    ['rate_limit_error', 'rate_limited'],
    ['api_error', 'upstream_failed'],
    ['authentication_error', 'unauthenticated'],
    ['invalid_request_error', 'invalid_request'],
    ['something_new', 'upstream_failed'],
  ])('the error event %s is %s', async (type, code) => {
    const [start = ''] = anthropicEvents([])
    const error = `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message: 'm' } })}\n\n`
    await expect(play([start, error])).rejects.toMatchObject({ code, data: { reason: type } })
  })

  test('without its end is cut; behind its stop reason it is whole', async () => {
    const events = anthropicEvents([{ start: text, deltas: [textPiece('Hi')] }])
    await expect(play(events.slice(0, -2))).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(await play(events.slice(0, -1))).toMatchObject({ text: 'Hi', finish: 'stop' })
  })

  test('that is not streamed is read all the same', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm', signature: 'sealed' },
      { type: 'text', text: 'Hi' },
      { ...use, input: { x: 1 } },
    ]
    const usage = { input_tokens: 5, output_tokens: 2 }
    const body = JSON.stringify({ type: 'message', content, stop_reason: 'tool_use', usage })
    expect(await play([body], 'application/json')).toMatchObject({
      text: 'Hi',
      reasoning: [{ text: 'Hm' }, { signature: 'sealed' }],
      calls: [{ arguments: { x: 1 } }],
      usage: { prompt_tokens: 5, completion_tokens: 2 },
      finish: 'tool_calls',
    })
  })
})
