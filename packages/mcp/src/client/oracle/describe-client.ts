import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMcpError } from '../../errors.ts'
import type { Era, Transport } from '../../transports/transport.ts'
import type { EraVerdict, McpClient, Progress, ServerNotice, ServerQuestions } from '../contract.ts'
import { openClient } from '../open-client.ts'
import * as content from './test-content.ts'

/** A server of an official SDK and a way to it. */
export interface Way {
  era: Era
  version?: string
  remembered?: EraVerdict
  /** The server; it lasts for the whole suite. */
  serve(): Promise<
    AsyncDisposable & { createTransport(way: 'usual' | 'sse'): Transport | undefined }
  >
}

type Server = Awaited<ReturnType<Way['serve']>>

/** What a client must do, whatever lies between it and the server. */
export function describeClient(name: string, { serve, era, version, remembered }: Way): void {
  describe(name, () => {
    let server: Server
    beforeAll(async () => {
      server = await serve()
    })
    afterAll(() => server[Symbol.asyncDispose]())

    async function open(questions?: ServerQuestions) {
      const notices: ServerNotice[] = []
      const warnings: string[] = []
      const opened = await openClient({
        createTransport: (way) => server.createTransport(way),
        remembered,
        timeoutMs: 20_000,
        onNotice: (notice) => notices.push(notice),
        onWarning: (text) => warnings.push(text),
        ...(questions && { questions }),
      })
      return { ...opened, notices, warnings }
    }

    test('finds out who answers, and in which era', async () => {
      const { client, server: found } = await open()
      expect(found).toMatchObject({ era, serverInfo: content.serverInfo })
      expect(found.version).toBe(version ?? (era === 'modern' ? '2026-07-28' : '2025-11-25'))
      expect(found.capabilities.tools).toEqual({ listChanged: true })
      await client.ping()
      await client.close()
    })

    test('lists and calls tools', async () => {
      const { client, warnings } = await open()
      const names = (await client.listTools()).map((tool) => tool.name)
      expect(names).toEqual(content.tools.map((tool) => tool.name))
      expect(textOf(await client.callTool('echo', { text: 'é\n世界' }))).toBe('é\n世界')
      expect(await client.callTool('fail')).toMatchObject({ isError: true })
      expect(await client.callTool('structured')).toMatchObject({ structuredContent: { n: 7 } })
      await expect(client.callTool('nonsense')).rejects.toMatchObject({ kind: 'rpc' })
      expect(warnings).toEqual([])
      await client.close()
    })

    test('many calls at once get each its own answer', async () => {
      const { client } = await open()
      const calls = Array.from({ length: 50 }, (_, n) => client.callTool('echo', { text: `${n}` }))
      const texts = (await Promise.all(calls)).map(textOf)
      expect(texts).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`))
      await client.close()
    })

    test('resources page by page, templates, prompts and completion', async () => {
      const { client } = await open()
      expect(await client.listResources()).toEqual(content.resources)
      expect(await client.listResourceTemplates()).toEqual(content.resourceTemplates)
      expect(await client.readResource('oracle://3')).toMatchObject(
        content.readResource('oracle://3'),
      )
      expect(await client.listPrompts()).toEqual(content.prompts)
      expect(await client.getPrompt('greet', { whom: 'Eve' })).toMatchObject(
        content.getPrompt('Eve'),
      )
      const ref = { type: 'ref/prompt' as const, name: 'greet' }
      const completed = await client.complete({ ref, argument: { name: 'whom', value: 'Al' } })
      expect(completed.completion.values).toEqual(['Alice', 'Albert'])
      await client.close()
    })

    test('progress is reported to the one who asks for it', async () => {
      const { client } = await open()
      const seen: Progress[] = []
      const onProgress = (progress: Progress) => seen.push(progress)
      expect(textOf(await client.callTool('steps', {}, { onProgress }))).toBe('asked')
      expect(seen).toEqual(
        [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })),
      )
      expect(textOf(await client.callTool('steps'))).toBe('not asked')
      await client.close()
    })

    test('a cancelled call and one that takes too long end at the server too', async () => {
      const { client } = await open()
      const before = await countCancelled(client)
      const stop = new AbortController()
      const cancelled = client.callTool('wait', {}, { signal: stop.signal })
      const late = client.callTool('wait', {}, { timeoutMs: 300 })
      const outcomes = Promise.allSettled([cancelled, late])
      await client.callTool('echo', { text: 'both are under way' })
      stop.abort()
      const kinds = (await outcomes).map((it) => it.status === 'rejected' && it.reason.kind)
      expect(kinds).toEqual(['cancelled', 'timeout'])
      await waitFor(async () => (await countCancelled(client)) === before + 2)
      await client.close()
    })

    test('questions of the server are answered during a call', async () => {
      const { client } = await open({
        elicit: async () => ({ action: 'accept', content: { name: 'Eve' } }),
        sample: async () => ({
          role: 'assistant',
          model: 'none',
          content: { type: 'text', text: 'Paris' },
        }),
        listRoots: async () => [{ uri: 'file:///work' }],
      })
      const calls = ['ask_person', 'ask_model', 'ask_roots'].map((tool) => client.callTool(tool))
      const texts = (await Promise.all(calls)).map(textOf)
      expect(texts).toEqual(['accept Eve', 'Paris', 'file:///work'])
      await client.close()
    })

    test('a person may decline', async () => {
      const { client } = await open({ elicit: async () => ({ action: 'decline' }) })
      expect(textOf(await client.callTool('ask_person'))).toBe('decline undefined')
      await client.close()
    })

    test('a server may not ask what was not offered to it', async () => {
      const { client } = await open()
      const outcome = await client.callTool('ask_person').catch((error: unknown) => error)
      expect(isMcpError(outcome, 'rpc') || isErrorResult(outcome)).toBe(true)
      await client.close()
    })

    test('a question ends with its call', async () => {
      const signals: AbortSignal[] = []
      const { client } = await open({
        elicit: (_, { signal }) => {
          signals.push(signal)
          return new Promise(() => undefined)
        },
      })
      const stop = new AbortController()
      const call = client.callTool('ask_person', {}, { signal: stop.signal })
      const signal = await waitFor(() => signals[0])
      stop.abort()
      await expect(call).rejects.toMatchObject({ kind: 'cancelled' })
      expect(signal.aborted).toBe(true)
      await client.close()
    })

    test('changes are told', async () => {
      const { client, notices } = await open()
      const stop = await client.subscribeResource('oracle://1')
      await waitFor(async () => {
        await client.callTool('change_tools')
        return notices.some(({ kind }) => kind === 'tools_changed')
      })
      await client.callTool('touch', { uri: 'oracle://1' })
      const updated = { kind: 'resource_updated', uri: 'oracle://1' }
      await expect.poll(() => notices).toContainEqual(updated)
      await stop()
      await client.close()
    })

    test('log lines are told once a level is set', async () => {
      const { client, notices } = await open()
      await client.setLogLevel('debug')
      await client.callTool('log')
      const line = { kind: 'log', level: 'info', logger: 'oracle', data: 'a line' }
      await expect.poll(() => notices).toContainEqual(line)
      await client.close()
    })
  })
}

function isErrorResult(outcome: unknown): boolean {
  return (outcome as { isError?: unknown }).isError === true
}

function textOf(result: { content: { type: string; text?: unknown }[] }): unknown {
  return result.content[0]?.text
}

async function countCancelled(client: McpClient): Promise<number> {
  return Number(textOf(await client.callTool('cancelled')))
}
