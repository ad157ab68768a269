import { describe, expect, test } from 'vitest'
import { openAiEvents, type PlayOptions, playAnswer } from '../answer/test-play-answer.ts'
import { readAnswer } from '../read-answer.ts'

const play = (pieces: Iterable<string | Buffer>, options: PlayOptions = {}) =>
  readAnswer(playAnswer(pieces, options))

const call = (piece: object) => ({ tool_calls: [piece] })

describe('text of a chat completion', () => {
  const events = openAiEvents([
    { role: 'assistant', content: '' },
    { content: 'Grüße' },
    { content: ' aus' },
    { content: ' "Köln" \\ 🍻' },
    { content: ' 你好' },
  ])
  const text = 'Grüße aus "Köln" \\ 🍻 你好'

  test.each([1, 2, 3, 7, 64, 100_000])('is the same in pieces of %i bytes', async (size) => {
    const bytes = Buffer.from(events.join(''))
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    )
    expect(await play(pieces)).toMatchObject({ text, finish: 'stop' })
  })

  test.each([
    ['CRLF', (stream: string) => stream.replaceAll('\n', '\r\n')],
    ['no space behind data:', (stream: string) => stream.replaceAll('data: ', 'data:')],
    ['comments', (stream: string) => `: hello\n\n${stream.replaceAll('\n\n', '\n\n: ping\n\n')}`],
    [
      'event names and ids',
      (stream: string) => stream.replaceAll('data:', 'event: x\nid: 1\ndata:'),
    ],
    ['a byte order mark', (stream: string) => `\ufeff${stream}`],
    ['no blank lines', (stream: string) => stream.replaceAll('\n\n', '\n')],
    ['no [DONE]', (stream: string) => stream.replace('data: [DONE]\n\n', '')],
    ['no newline at the end', (stream: string) => stream.trimEnd()],
    ['no finish_reason', (stream: string) => stream.replace(/data: [^\n]*"stop"[^\n]*\n\n/, '')],
  ])('survives %s', async (_, change) => {
    expect((await play([change(events.join(''))])).text).toBe(text)
  })

  test('comes as one delta per piece read', async () => {
    const batches = []
    for await (const batch of playAnswer([events.join('')])) batches.push(batch)
    expect(batches.map((batch) => batch.map(({ type }) => type))).toEqual([
      ['text', 'usage', 'finish'],
    ])
  })

  test('as parts, with thoughts and refusals', async () => {
    const answer = await play(
      openAiEvents([
        { reasoning_content: 'Hm' },
        { reasoning: ', well' },
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: '…' }] }] },
        { content: [{ type: 'text', text: 'No' }] },
        { refusal: ', I will not.' },
      ]),
    )
    expect(answer.reasoning.map((piece) => piece.text).join('')).toBe('Hm, well…')
    expect(answer).toMatchObject({ text: 'No, I will not.', finish: 'refusal' })
  })
})

describe('calls of a chat completion', () => {
  const fn = (name: string | undefined, args?: unknown) => ({ name, arguments: args })

  test.each<[string, object[]]>([
    [
      'in pieces by index, mixed',
      [
        call({ index: 0, id: 'a', function: fn('one', '') }),
        call({ index: 1, id: 'b', function: fn('two', '{"y"') }),
        call({ index: 0, function: fn(undefined, '{"x":') }),
        call({ index: 1, function: fn(undefined, ':2}') }),
        call({ index: 0, function: fn(undefined, '1}') }),
      ],
    ],
    [
      'with the id in every piece',
      [
        call({ index: 0, id: 'a', function: fn('one', '{"x"') }),
        call({ index: 0, id: 'a', function: fn('one', ':1}') }),
        call({ index: 1, id: 'b', function: fn('two', '{"y":2}') }),
      ],
    ],
    [
      'with the name in pieces',
      [
        call({ index: 0, id: 'a', function: fn('o', undefined) }),
        call({ index: 0, function: fn('ne', '{"x":1}') }),
        call({ index: 1, id: 'b', function: fn('tw', '') }),
        call({ index: 1, function: fn('o', '{"y":2}') }),
      ],
    ],
    [
      'all at index 0 with their own ids',
      [
        call({ index: 0, id: 'a', function: fn('one', '{"x":1}') }),
        call({ index: 0, id: 'b', function: fn('two', '{"y":2}') }),
      ],
    ],
    [
      'all at index 0 without ids',
      [
        call({ index: 0, function: fn('one', '{"x":1}') }),
        call({ index: 0, function: fn('two', '{"y":2}') }),
      ],
    ],
    [
      'without index and id, arguments as objects',
      [{ tool_calls: [{ function: fn('one', { x: 1 }) }, { function: fn('two', { y: 2 }) }] }],
    ],
    [
      'with the same id for both',
      [
        call({ index: 0, id: 'a', function: fn('one', '{"x":1}') }),
        call({ index: 1, id: 'a', function: fn('two', '{"y":2}') }),
      ],
    ],
  ])('%s', async (_, deltas) => {
    const { calls, finish } = await play(openAiEvents(deltas, 'stop'))
    expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ['one', { x: 1 }],
      ['two', { y: 2 }],
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
    expect(finish).toBe('tool_calls')
  })

  test('an id of an earlier answer is not used again', async () => {
    const used = { id: 'call_0', name: 'one', arguments: {} }
    const messages = [{ role: 'assistant', content: '', tool_calls: [used] }] as const
    const deltas = [call({ index: 0, id: 'call_0', function: fn('one', '{}') })]
    const { calls } = await play(openAiEvents(deltas), { messages })
    expect(calls[0]?.id).toMatch(/^call_[0-9a-f]{24}$/)
  })

  test('what was cut for its length is not repaired', async () => {
    const deltas = [call({ index: 0, id: 'a', function: fn('write', '{"path":"a","text":"half"') })]
    const cut = await play(openAiEvents(deltas, 'length'))
    expect(cut.calls[0]).toMatchObject({ arguments: undefined, raw: '{"path":"a","text":"half"' })
    const stopped = await play(openAiEvents(deltas, 'tool_calls'))
    expect(stopped.calls[0]?.arguments).toEqual({ path: 'a', text: 'half' })
  })
})

describe('a chat completion', () => {
  test('that is not streamed is read all the same', async () => {
    const message = {
      content: 'Hi',
      reasoning_content: 'Hm',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'one', arguments: '{"x":1}' } }],
    }
    const usage = {
      prompt_tokens: 3,
      completion_tokens: 2,
      prompt_tokens_details: { cached_tokens: 1 },
    }
    const body = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }], usage })
    for (const type of ['application/json', 'text/plain']) {
      expect(await play([body.slice(0, 40), body.slice(40)], { type })).toMatchObject({
        text: 'Hi',
        reasoning: [{ text: 'Hm' }],
        calls: [{ id: 'a', arguments: { x: 1 } }],
        usage: { prompt_tokens: 3, completion_tokens: 2, cached_tokens: 1 },
        finish: 'tool_calls',
      })
    }
  })

  test.each<[string, string, string]>([
    [
      'an error of the server',
      '{"error":{"message":"oops","type":"server_error"}}',
      'upstream_failed',
    ],
    ['an error with a status', '{"error":{"message":"busy","code":429}}', 'rate_limited'],
    ['an error as text', '{"error":"no memory"}', 'upstream_failed'],
    [
      'too long a prompt',
      '{"error":{"message":"x","code":"context_length_exceeded"}}',
      'too_large',
    ],
    ['no more money', '{"error":{"message":"x","code":"insufficient_quota"}}', 'forbidden'],
    ['what is no JSON', '<html>', 'upstream_failed'],
  ])('fails by %s inside of the stream', async (_, data, code) => {
    const [first = ''] = openAiEvents([{ content: 'Hi' }])
    await expect(play([first, `data: ${data}\n\n`])).rejects.toMatchObject({ code })
    await expect(play([data], { type: 'application/json' })).rejects.toMatchObject({ code })
  })

  test.each<['end' | 'cut', string]>([
    ['end', 'upstream_failed'],
    ['cut', 'upstream_failed'],
  ])('that stops in the middle (%s) fails', async (ends, code) => {
    const events = openAiEvents([{ content: 'Hi' }, { content: ' you' }]).slice(0, 2)
    await expect(play(events, { ends })).rejects.toMatchObject({ code })
  })

  test('that breaks behind its finish_reason is whole', async () => {
    const events = openAiEvents([{ content: 'Hi' }]).slice(0, 2)
    expect(await play(events, { ends: 'cut' })).toMatchObject({ text: 'Hi', finish: 'stop' })
    expect(await play([...events, 'data: {"usa'])).toMatchObject({ text: 'Hi', finish: 'stop' })
  })

  test.each(['{}', '[]', 'null', '{"choices":[]}', '[DONE]'])(
    'that says only %s fails',
    async (data) => {
      const pieces = [`data: ${data}\n\n`, 'data: [DONE]\n\n']
      await expect(play(pieces)).rejects.toMatchObject({ code: 'upstream_failed' })
      await expect(play([data], { type: 'application/json' })).rejects.toMatchObject({
        code: 'upstream_failed',
      })
    },
  )

  test.each([
    ['nothing', ''],
    ['a page', '<html><body>Sign in</body></html>'],
  ])('of %s fails', async (_, body) => {
    await expect(play([body], { type: 'text/html' })).rejects.toMatchObject({
      code: 'upstream_failed',
    })
  })
})
