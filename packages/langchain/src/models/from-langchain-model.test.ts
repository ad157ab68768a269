import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ModelDelta, type ModelPort, type ModelRequest, readAnswer } from '@dataagent/core'
import type { AppError } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import {
  BaseChatModel,
  type BaseChatModelParams,
} from '@langchain/core/language_models/chat_models'
import { AIMessage, AIMessageChunk } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { describe, expect, test } from 'vitest'
import { fromLangChainModel } from './from-langchain-model.ts'
import { startTestModels } from './test-stand-in.ts'
import { toLangChainModel } from './to-langchain-model.ts'

const look = {
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
}

function asking(fields: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }], tools: [], ...fields }
}

const answer = (port: ModelPort, request = asking(), signal?: AbortSignal) =>
  readAnswer(port.stream(request, signal))

/** A chat model that gives these chunks. */
class Chunks extends BaseChatModel {
  readonly chunks: AIMessageChunk[]

  constructor(chunks: object[], more?: BaseChatModelParams) {
    super(more ?? {})
    this.chunks = chunks.map((fields) => new AIMessageChunk(fields as never))
  }

  override _llmType() {
    return 'chunks'
  }

  override _generate(): Promise<never> {
    throw new Error('it streams')
  }

  override async *_streamResponseChunks() {
    for (const message of this.chunks) yield new ChatGenerationChunk({ text: '', message })
  }
}

describe('over the wire of a provider', () => {
  test('text comes in pieces, with usage and an end', async () => {
    await using models = await startTestModels(['One two three.'])
    const port = fromLangChainModel(models.chat())
    const batches: (readonly ModelDelta[])[] = []
    for await (const batch of port.stream(asking(), undefined)) batches.push(batch)
    const texts = batches.flat().filter(({ type }) => type === 'text')
    expect(texts.length).toBeGreaterThan(2)
    expect(batches.at(-1)).toEqual([
      { type: 'usage', usage: expect.objectContaining({ completion_tokens: expect.any(Number) }) },
      { type: 'finish', reason: 'stop' },
    ])
    const [request] = models.standIn.requests
    expect(request?.turns.map(({ role, text }) => [role, text])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'Hi'],
    ])
  })

  test('calls come whole, with the schemas and the choice sent along', async () => {
    const toolCalls = [
      { name: 'look', arguments: { at: 'sea' }, id: 'c1' },
      { name: 'look', arguments: { at: 'sky' }, id: 'c2' },
    ]
    await using models = await startTestModels([{ text: 'So.', toolCalls }])
    const port = fromLangChainModel(models.chat())
    const { calls, finish, text } = await answer(
      port,
      asking({ tools: [look], toolChoice: { name: 'look' } }),
    )
    expect(text).toBe('So.')
    expect(calls.map(({ id, arguments: args }) => [id, args])).toEqual([
      ['c1', { at: 'sea' }],
      ['c2', { at: 'sky' }],
    ])
    expect(finish).toBe('tool_calls')
    const [request] = models.standIn.requests
    expect(request?.tools).toMatchObject([{ name: 'look' }])
    expect(JSON.stringify(request?.body)).toContain('"tool_choice":{"type":"function"')
  })

  test('a call whose arguments are no object is told as it came', async () => {
    const toolCalls = [{ name: 'look', arguments: '{"at": }{', id: 'c1' }]
    await using models = await startTestModels([{ toolCalls }])
    const { calls } = await answer(fromLangChainModel(models.chat()), asking({ tools: [look] }))
    expect(calls).toMatchObject([{ id: 'c1', arguments: undefined, raw: '{"at": }{' }])
  })

  test('results of tools go back under their ids', async () => {
    await using models = await startTestModels(['Blue.'])
    const messages: ModelRequest['messages'] = [
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', name: 'look', arguments: { at: 'sea' } }],
      },
      { role: 'tool', tool_call_id: 'c1', name: 'look', content: 'blue', is_error: false },
    ]
    const port = fromLangChainModel(models.chat())
    expect((await answer(port, asking({ messages, tools: [look] }))).text).toBe('Blue.')
  })

  test.each<[string, string]>([
    ['standin-err429', 'rate_limited'],
    ['standin-err401', 'unauthenticated'],
    ['standin-err403', 'forbidden'],
    ['standin-err400', 'invalid_request'],
    ['standin-err500', 'upstream_failed'],
    ['standin-err503', 'unavailable'],
    ['standin-ctx1', 'too_large'],
  ])('%s is %s', async (model, code) => {
    await using models = await startTestModels()
    const port = fromLangChainModel(models.chat(model))
    await expect(answer(port)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(model),
    })
  })

  test('a server that is not there is unavailable, one that is slow a timeout', async () => {
    await using models = await startTestModels()
    const away = models.chat('x', { configuration: { baseURL: 'http://127.0.0.1:9/v1' } })
    await expect(answer(fromLangChainModel(away))).rejects.toMatchObject({ code: 'unavailable' })
    const silent = createServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const baseURL = `http://127.0.0.1:${port}/v1`
    const slow = models.chat('x', { timeout: 50, configuration: { baseURL } })
    await expect(answer(fromLangChainModel(slow))).rejects.toMatchObject({ code: 'timeout' })
    silent.closeAllConnections()
    silent.close()
  })

  test('the signal ends it within a second and closes the connection', async () => {
    await using models = await startTestModels()
    const port = fromLangChainModel(models.chat('standin-len500-itl50'))
    const abort = new AbortController()
    const stream = port.stream(asking(), abort.signal)[Symbol.asyncIterator]()
    await stream.next()
    const begun = performance.now()
    abort.abort()
    await expect(stream.next()).rejects.toMatchObject({ code: 'cancelled' })
    await waitFor(() => models.standIn.active() === 0)
    expect(performance.now() - begun).toBeLessThan(1_000)
  })

  test('leaving the loop closes the connection', async () => {
    await using models = await startTestModels()
    const port = fromLangChainModel(models.chat('standin-len500-itl50'))
    for await (const _ of port.stream(asking(), undefined)) break
    await waitFor(() => models.standIn.active() === 0)
  })

  test('its name is what the model says of itself', async () => {
    await using models = await startTestModels()
    expect(fromLangChainModel(models.chat()).name).toBe('openai:standin')
    const options = { name: 'a:b', contextWindow: 5, price: { prompt: 1, completion: 2 } }
    expect(fromLangChainModel(models.chat(), options)).toMatchObject(options)
  })
})

describe('of any chat model', () => {
  test.each([
    ['stop_reason', 'end_turn', 'stop'],
    ['stop_reason', 'max_tokens', 'length'],
    ['stop_reason', 'refusal', 'refusal'],
    ['finish_reason', 'content_filter', 'refusal'],
    ['finishReason', 'MAX_TOKENS', 'length'],
    ['finish_reason', 'something', 'other'],
  ])('%s %s is %s', async (field, word, finish) => {
    const model = new Chunks([{ content: 'a', response_metadata: { [field]: word } }])
    expect((await answer(fromLangChainModel(model))).finish).toBe(finish)
  })

  test('thoughts and their seals come as they are written', async () => {
    const model = new Chunks([
      { content: [{ type: 'thinking', thinking: 'h', index: 0 }] },
      { content: [{ type: 'thinking', thinking: 'm', index: 0 }] },
      { content: [{ type: 'thinking', thinking: '', signature: 's', index: 0 }] },
      { content: [{ type: 'text', text: 'so', index: 1 }] },
    ])
    const { reasoning, text } = await answer(fromLangChainModel(model))
    expect(reasoning).toEqual([{ text: 'h' }, { text: 'm' }, { text: '', signature: 's' }])
    expect(text).toBe('so')
  })

  test('usage of several chunks is added up', async () => {
    const counted = (input_tokens: number, output_tokens: number) => ({
      ...{ input_tokens, output_tokens, total_tokens: 0, input_token_details: { cache_read: 2 } },
    })
    const model = new Chunks([
      { content: 'a', usage_metadata: counted(5, 0) },
      { content: 'b', usage_metadata: counted(0, 3) },
    ])
    const usage = { prompt_tokens: 5, completion_tokens: 3, cached_tokens: 4 }
    expect((await answer(fromLangChainModel(model))).usage).toEqual(usage)
  })

  test('pieces of calls without an index go on with the call before', async () => {
    const piece = (fields: object) => ({
      content: '',
      tool_call_chunks: [{ type: 'tool_call_chunk' as const, ...fields }],
    })
    const model = new Chunks([
      piece({ id: 'c1', name: 'look', args: '{"at":' }),
      piece({ args: '"sea"}' }),
    ])
    const { calls } = await answer(fromLangChainModel(model))
    expect(calls).toMatchObject([{ id: 'c1', name: 'look', arguments: { at: 'sea' } }])
  })

  test('one that does not stream gives its whole answer, broken calls too', async () => {
    class Whole extends Chunks {
      override _streamResponseChunks = BaseChatModel.prototype._streamResponseChunks as never
      override async _generate() {
        const message = new AIMessage({
          content: 'so',
          tool_calls: [{ id: 'c1', name: 'look', args: { at: 'sea' } }],
          invalid_tool_calls: [{ id: 'c2', name: 'look', args: '{"at"', error: 'x' }],
        })
        return { generations: [{ text: 'so', message }] } as never
      }
    }
    const { text, calls } = await answer(fromLangChainModel(new Whole([])))
    expect(text).toBe('so')
    expect(calls).toMatchObject([
      { id: 'c1', arguments: { at: 'sea' } },
      { id: 'c2', arguments: undefined },
    ])
  })

  test('one without bindTools calls none, and says so when it is asked to', async () => {
    const port = fromLangChainModel(new Chunks([{ content: 'a' }]))
    expect(port.callsTools).toBe(false)
    await expect(answer(port, asking({ tools: [look] }))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('withTextDialect'),
    })
  })

  test('what nobody knows is upstream_failed, with its cause', async () => {
    const port = fromLangChainModel({
      ...new Chunks([]),
      ...{ getLsParams: () => ({}), getName: () => 'odd', profile: {} },
      withConfig: () => ({ stream: () => Promise.reject(new Error('odd')) }),
    } as never)
    const error: AppError = await answer(port).catch((caught) => caught)
    expect(error).toMatchObject({ code: 'upstream_failed', cause: { message: 'odd' } })
  })

  test('one that is ours is taken out again', async () => {
    await using models = await startTestModels()
    const port = models.port()
    expect(fromLangChainModel(toLangChainModel(port))).toBe(port)
  })
})
