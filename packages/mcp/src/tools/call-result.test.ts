import { describe, expect, test } from 'vitest'
import type { CallToolResult } from '../client/contract.ts'
import { toCallResult } from './call-result.ts'

const text = (words: string) => ({ type: 'text' as const, text: words })

describe('TestMCPResultToCallResult [C4.2]', () => {
  test('text parts are joined by new lines and the raw result stays whole', () => {
    const raw: CallToolResult = {
      content: [
        text('first'),
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///a', text: 'not this' } },
        text(''),
        text('second\nline'),
      ],
      structuredContent: { rows: 2 },
      _meta: { cost: 1 },
    }
    const whole = structuredClone(raw)
    const result = toCallResult(raw)
    expect(result.text).toBe('first\nsecond\nline')
    expect(result.raw).toBe(raw)
    expect(raw).toEqual(whole)
  })

  test.each<[string, CallToolResult, string]>([
    ['an error result', { content: [text('no such file')], isError: true }, 'Error: no such file'],
    ['an error without text', { content: [], isError: true }, 'Error: '],
    ['a result that says it is no error', { content: [text('ok')], isError: false }, 'ok'],
    ['nothing', { content: [] }, ''],
    ['no text', { content: [{ type: 'audio', data: '', mimeType: 'audio/wav' }] }, ''],
  ])('%s', (_what, raw, expected) => {
    expect(toCallResult(raw)).toEqual({ text: expected, raw })
  })
})
