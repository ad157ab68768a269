import { type ModelDelta, type ModelPort, type ModelRequest, readAnswer } from '@dataagent/core'
import { waitFor } from '@dataagent/testkit'
import { type AIMessageChunk, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { createAgent } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fromLangChainModel } from './from-langchain-model.ts'
import { startTestModels } from './test-stand-in.ts'
import { toLangChainModel } from './to-langchain-model.ts'

const look = tool(({ at }) => `saw ${at}`, {
  name: 'look',
  description: 'Looks.',
  schema: z.object({ at: z.string() }),
})

/** A model that gives these deltas and notes what it was asked. */
function giving(...deltas: ModelDelta[]): ModelPort & { asked: ModelRequest[] } {
  const asked: ModelRequest[] = []
  return {
    ...{ name: 'test:one', contextWindow: 1_000, callsTools: true, asked },
    async *stream(request) {
      asked.push(request)
      yield deltas
    },
  }
}

const end: ModelDelta = { type: 'finish', reason: 'stop' }

describe('a model of ours in LangChain', () => {
  test('answers, with usage, and streams its text in pieces', async () => {
    await using models = await startTestModels(() => 'One two three.')
    const model = toLangChainModel(models.port())
    const whole = await model.invoke([new SystemMessage('Be brief.'), new HumanMessage('Hi')])
    expect(whole.text).toBe('One two three.')
    expect(whole.usage_metadata).toMatchObject({ output_tokens: expect.any(Number) })
    expect(whole.response_metadata).toMatchObject({ finish_reason: 'stop' })
    expect(models.standIn.requests[0]?.turns[0]).toMatchObject({ role: 'system' })
    const slow = toLangChainModel(models.port('standin-itl20'))
    const pieces = await Array.fromAsync(await slow.stream('Hi'))
    expect(pieces.filter(({ text }) => text !== '').length).toBeGreaterThan(2)
  })

  test('calls tools in a graph of createAgent', async () => {
    const toolCalls = [{ name: 'look', arguments: { at: 'the sea' } }]
    await using models = await startTestModels([{ toolCalls }, { text: 'Blue.' }])
    const agent = createAgent({ model: toLangChainModel(models.port()), tools: [look] })
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Look')] })
    expect(messages.map((message) => message.text)).toEqual(['Look', '', 'saw the sea', 'Blue.'])
    expect(models.standIn.requests[0]?.tools).toMatchObject([{ name: 'look' }])
  })

  test('gives structured output', async () => {
    const toolCalls = [{ name: 'extract', arguments: { at: 'sea' } }]
    await using models = await startTestModels([{ toolCalls }])
    const asked = toLangChainModel(models.port()).withStructuredOutput(z.object({ at: z.string() }))
    expect(await asked.invoke('Where?')).toEqual({ at: 'sea' })
  })

  test('is cancelled by the signal, and its connection closed', async () => {
    await using models = await startTestModels()
    const model = toLangChainModel(models.port('standin-len500-itl50'))
    const abort = new AbortController()
    const stream = await model.stream('Hi', { signal: abort.signal })
    await stream.next()
    abort.abort()
    await expect(Array.fromAsync(stream)).rejects.toThrow()
    await waitFor(() => models.standIn.active() === 0)
  })

  test('keeps the code of what went wrong', async () => {
    await using models = await startTestModels()
    const model = toLangChainModel(models.port('standin-err403'))
    await expect(model.invoke('Hi')).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('passes settings and the choice of a tool on, and has a profile', async () => {
    const port = giving({ type: 'text', text: 'a' }, end)
    const model = toLangChainModel(port)
    expect(model.profile).toEqual({ maxInputTokens: 1_000, toolCalling: true })
    const options = { tool_choice: 'any', max_tokens: 7, temperature: 0, extra: { seed: 1 } }
    await model.bindTools?.([look], options).invoke('Hi')
    expect(port.asked[0]).toMatchObject({
      tools: [{ name: 'look', parameters: { required: ['at'] } }],
      ...{ toolChoice: 'required', maxTokens: 7, temperature: 0, extra: { seed: 1 } },
    })
  })

  test('says what it cannot pass on', async () => {
    const model = toLangChainModel(giving(end))
    await expect(model.invoke('Hi', { stop: ['x'] })).rejects.toThrow('Stop sequences')
    expect(() => model.bindTools?.([{ type: 'web_search_preview' }])).toThrow("provider's own")
  })

  test('what was void of an answer is not in it; a stream that is void fails', async () => {
    const port = giving(
      { type: 'text', text: 'no' },
      { type: 'restart' },
      { type: 'text', text: 'yes' },
      end,
    )
    expect((await toLangChainModel(port).invoke('Hi')).text).toBe('yes')
    const stream = await toLangChainModel(port).stream('Hi')
    await expect(Array.fromAsync(stream)).rejects.toThrow('begun anew')
    const early = giving({ type: 'restart' }, { type: 'text', text: 'yes' }, end)
    const pieces = await Array.fromAsync(await toLangChainModel(early).stream('Hi'))
    expect(pieces.map(({ text }) => text).join('')).toBe('yes')
  })

  test('an answer that is none is an error', async () => {
    await expect(toLangChainModel(giving()).invoke('Hi')).rejects.toThrow('no answer')
  })
})

describe('there and back', () => {
  const deltas: ModelDelta[] = [
    { type: 'reasoning', reasoning: { text: 'h' } },
    { type: 'reasoning', reasoning: { text: 'm' } },
    { type: 'reasoning', reasoning: { text: '', signature: 's' } },
    { type: 'reasoning', reasoning: { text: '', redacted: 'xx' } },
    { type: 'text', text: 'one' },
    { type: 'text', text: ' two' },
    { type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 'sea' }, raw: '{"at":"sea"}' },
    { type: 'tool_call', id: 'c2', name: 'look', arguments: undefined, raw: 'no' },
    { type: 'usage', usage: { prompt_tokens: 3, completion_tokens: 2, cached_tokens: 1 } },
    { type: 'finish', reason: 'tool_calls' },
  ]

  test('chunks join to the message that was meant', async () => {
    const chunks = await Array.fromAsync(await toLangChainModel(giving(...deltas)).stream('Hi'))
    const joined = chunks.reduce((sum, chunk) => sum.concat(chunk) as AIMessageChunk)
    expect(joined.content).toMatchObject([
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'redacted_thinking', data: 'xx' },
      { type: 'text', text: 'one two' },
    ])
    expect(joined.tool_calls).toMatchObject([{ id: 'c1', args: { at: 'sea' } }])
    expect(joined.invalid_tool_calls).toMatchObject([{ id: 'c2', args: 'no' }])
  })

  test('over a chat model that only passes on, no delta is lost', async () => {
    const theirs = toLangChainModel(giving(...deltas))
    const passing = {
      ...{ getLsParams: () => ({}), getName: () => 'passing', profile: {} },
      withConfig: () => ({ stream: (messages: never) => theirs.stream(messages) }),
    }
    const port = fromLangChainModel(passing as never)
    const request = { system: '', messages: [{ role: 'user', content: 'Hi' }], tools: [] } as const
    const back = await readAnswer(port.stream(request, undefined))
    const there = await readAnswer(giving(...deltas).stream(request, undefined))
    expect(back).toEqual(there)
  })
})
