import { inspect } from 'node:util'
import { createSecret, isAppError } from '@dataagent/schema'
import { createCanary, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { ModelMessage } from './contract.ts'
import { readAnswer } from './read-answer.ts'
import { ask, describeWires, weather } from './test-wires.ts'

describeWires('a model', ({ wire, standIn, model }) => {
  test('gives text, usage and one finish, in this order', async () => {
    const types: string[] = []
    let text = ''
    for await (const batch of model('standin-len300').stream(ask('你好'), undefined)) {
      for (const delta of batch) {
        types.push(delta.type)
        if (delta.type === 'text') text += delta.text
      }
    }
    expect(text.split(' ')).toHaveLength(300)
    expect(types.slice(-2)).toEqual(['usage', 'finish'])
    expect(types.filter((type) => type === 'finish')).toHaveLength(1)
  })

  test('gives parallel calls whole, each with an id of its own', async () => {
    const request = ask('Paris', { tools: [weather] })
    const answer = await readAnswer(model('standin-tools1-par3').stream(request, undefined))
    expect(answer.finish).toBe('tool_calls')
    expect(answer.calls.map((call) => [call.name, call.arguments])).toEqual(
      Array.from({ length: 3 }, () => ['get_weather', { city: 'Paris' }]),
    )
    expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(3)
    expect(answer.usage?.prompt_tokens).toBeGreaterThan(0)
  })

  test('sends a history that the provider takes, results included [B6.2]', async () => {
    const call = (id: string) => ({ id, name: 'get_weather', arguments: { city: id } })
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Compare Rome and Oslo' },
      { role: 'assistant', content: '', tool_calls: [call('rome'), call('oslo')] },
      result('oslo', 'cold'),
      result('rome', ''),
      { role: 'assistant', content: 'Oslo is cold.', tool_calls: [] },
      { role: 'user', content: 'And now?' },
      { role: 'assistant', content: 'Let me look.', tool_calls: [call('now')] },
      { ...result('now', 'no such city'), is_error: true },
    ]
    const request = { system: 'Be brief.', messages, tools: [weather] }
    const { text } = await readAnswer(model('standin').stream(request, undefined))
    expect(text).toBe('The tools answered: no such city')
    const [system] = lastRequest().turns
    expect(system).toMatchObject({ role: 'system', text: 'Be brief.' })
  })

  test('passes on choice, limit and temperature', async () => {
    const request = ask('Rome', {
      tools: [weather],
      toolChoice: { name: 'get_weather' },
      maxTokens: 77,
      temperature: 0.5,
    })
    await readAnswer(
      model('standin', { extra: { metadata: { a: 'b' } } }).stream(request, undefined),
    )
    expect(lastRequest()).toMatchObject({ toolChoice: 'get_weather', maxTokens: 77 })
    expect(lastRequest().body).toMatchObject({ temperature: 0.5, metadata: { a: 'b' } })
  })

  test.each([
    [400, 'invalid_request'],
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'invalid_request'],
    [413, 'too_large'],
    [429, 'rate_limited'],
    [500, 'upstream_failed'],
    [503, 'unavailable'],
    [504, 'timeout'],
    [529, 'unavailable'],
  ])('status %i is %s, told with the body', async (status, code) => {
    const failing = model(`standin-err${status}-retry7`)
    const error = await readAnswer(failing.stream(ask('hi'), undefined)).catch((e) => e)
    expect(isAppError(error, code as 'timeout')).toBe(true)
    expect(error.data).toMatchObject({ status, model: `${wire}:standin-err${status}-retry7` })
    expect(error.data.body).toContain('error')
    if (status === 429) expect(error.data.retry_after_ms).toBe(7_000)
  })

  test('a prompt that does not fit is too_large', async () => {
    const small = model('standin-ctx20')
    await expect(readAnswer(small.stream(ask('x'.repeat(500)), undefined))).rejects.toMatchObject({
      code: 'too_large',
    })
  })

  test.each(['standin-len50-cut20', 'standin-len50-break20'])(
    'an answer that breaks off (%s) gives what came and then fails in a way that may pass',
    async (name) => {
      let text = ''
      const reading = (async () => {
        for await (const batch of model(name).stream(ask('hi'), undefined)) {
          for (const delta of batch) if (delta.type === 'text') text += delta.text
        }
      })()
      await expect(reading).rejects.toMatchObject({
        code: expect.stringMatching(/^(upstream_failed|unavailable)$/),
      })
      expect(text.split(' ').length).toBeGreaterThan(5)
    },
  )

  test('cancelling closes the socket and throws cancelled', async () => {
    const stop = new AbortController()
    const reading = (async () => {
      for await (const _ of model('standin-len5000-itl5').stream(ask('hi'), stop.signal)) {
        stop.abort(new Error('enough'))
      }
    })()
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' })
    await waitFor(() => lastRequest().outcome === 'disconnected')
  })

  test('leaving the loop closes the socket', async () => {
    for await (const _ of model('standin-len5000-itl5').stream(ask('hi'), undefined)) break
    await waitFor(() => lastRequest().outcome === 'disconnected')
  })

  test('a signal that has aborted asks nothing', async () => {
    const before = standIn().requests.length
    const stream = model('standin').stream(ask('hi'), AbortSignal.abort())
    await expect(readAnswer(stream)).rejects.toMatchObject({ code: 'cancelled' })
    expect(standIn().requests).toHaveLength(before)
  })

  test('a whole answer leaves the connection for the next', async () => {
    const one = model('standin')
    for (let i = 0; i < 3; i += 1) await readAnswer(one.stream(ask('hi'), undefined))
    expect(
      standIn()
        .requests.slice(-3)
        .map(({ outcome }) => outcome),
    ).toEqual(Array(3).fill('complete'))
  })

  test('no error shows a key or a header, not even one that the provider repeats', async () => {
    const key = createCanary('key')
    const header = createCanary('header')
    standIn().script(({ apiKey, headers }) => ({
      error: 400,
      message: `bad key ${apiKey} in ${JSON.stringify(headers)} ${'.'.repeat(1_980)}${apiKey}`,
    }))
    const secretive = model('standin', {
      apiKey: createSecret(key.apiKey),
      headers: { 'x-tenant': header.apiKey },
    })
    const error = await readAnswer(secretive.stream(ask('hi'), undefined)).catch((e) => e)
    const shown = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error.data)
    expect(shown).toContain('bad key')
    expect(shown).not.toContain(key.marker)
    expect(shown).not.toContain(header.marker)
    expect(error.data.body.length).toBeLessThan(2_200)
    standIn().script(() => 'ok')
  })

  test('nobody there is an error that may pass', async () => {
    const gone = model('standin', { baseUrl: 'http://127.0.0.1:1/v1' })
    await expect(readAnswer(gone.stream(ask('hi'), undefined))).rejects.toMatchObject({
      code: 'upstream_failed',
    })
  })

  function lastRequest() {
    return standIn().requests.at(-1) as NonNullable<ReturnType<typeof standIn>['requests'][0]>
  }
})

function result(tool_call_id: string, content: string) {
  return { role: 'tool', tool_call_id, name: 'get_weather', content, is_error: false } as const
}
