import type { ToolResult } from '@dataagent/hub'
import { describe, expect, test } from 'vitest'
import { besideText, createShownRoom } from './beside-text.ts'

type Raw = ToolResult['raw']

const text = (words: string) => ({ type: 'text' as const, text: words })
const image = { type: 'image' as const, data: 'aGkh', mimeType: 'image/png' }
const rows = { rows: [{ id: 1 }] }
const both = { structuredContent: rows, content: [image] }

const shownOf = (raw: Raw, isOwn = false) =>
  besideText({ raw, text: '' }, { isOwn, runRoom: createShownRoom() })

describe('what people are shown beside the text of a result', () => {
  test.each<[string, Raw, unknown]>([
    ['nothing beside text alone', { content: [text('a')] }, undefined],
    ['nothing of nothing', { content: [] }, undefined],
    ['nothing where the text is the JSON', { content: [], structuredContent: rows }, undefined],
    [
      'nothing where the text says the same',
      { content: [text('{ "rows": [{ "id": 1 }] }')], structuredContent: rows },
      undefined,
    ],
    [
      'what is structured beside another text',
      { content: [text('1 row')], structuredContent: rows },
      { content: [], structuredContent: rows, with_text: true },
    ],
    [
      'what is structured in place of its items',
      {
        content: [text('{"a":1}'), text('{"a":2}')],
        structuredContent: { result: [{ a: 1 }, { a: 2 }] },
      },
      { content: [], structuredContent: { result: [{ a: 1 }, { a: 2 }] }, with_text: false },
    ],
    [
      'an image in place of its words',
      { content: [image] },
      { content: [image], with_text: false },
    ],
    [
      'an image beside text',
      { content: [text('a chart'), image] },
      { content: [image], with_text: true },
    ],
    ['an image beside JSON', both, { content: [image], with_text: true }],
  ])('%s', (_, raw, shown) => {
    expect(shownOf(raw)).toEqual(shown)
  })

  test('what a tool of our own has structured beside its text is for programs', () => {
    expect(shownOf({ content: [text('3 rows')], structuredContent: rows }, true)).toBeUndefined()
    expect(shownOf(both, true)).toEqual({ content: [image], with_text: true })
  })

  test('what is too large for the log is named, and the next is still shown', () => {
    const large = { ...image, data: 'A'.repeat(1_000_000) }
    expect(shownOf({ content: [large, image] })).toEqual({
      content: [text('[image of type image/png, 750000 bytes, too large to show]'), image],
      with_text: false,
    })
    const structuredContent = { all: 'x'.repeat(1_000_000) }
    expect(shownOf({ content: [text('a')], structuredContent })).toBeUndefined()
  })

  test('what is too much for the log of one run is named', () => {
    const large = { ...image, data: 'A'.repeat(900_000) }
    const runRoom = createShownRoom()
    const given = { text: '', raw: { content: [large] } }
    const kept = Array.from({ length: 30 }, () => besideText(given, { isOwn: false, runRoom }))
    const images = kept.filter((shown) => shown?.content[0]?.type === 'image')
    expect(images).toHaveLength(18)
    const named = text('[image of type image/png, 675000 bytes, too large to show]')
    expect(kept.at(-1)).toEqual({ content: [named], with_text: false })
    const small = { text: '', raw: { content: [image] } }
    expect(besideText(small, { isOwn: false, runRoom })?.content).toEqual([image])
  })

  test('of very many parts the first are shown, and how many more there are', () => {
    const content = Array.from({ length: 5_000 }, () => image)
    const shown = shownOf({ content })?.content ?? []
    expect(shown.slice(0, 100)).toEqual(content.slice(0, 100))
    expect(shown.slice(100)).toEqual([text('[4900 more parts]')])
  })

  test('what no log can hold is left out', () => {
    let deep: unknown = 1
    for (let i = 0; i < 100; i++) deep = { deep }
    const structuredContent = { deep }
    expect(shownOf({ content: [text('a')], structuredContent })).toBeUndefined()
    const raw = { content: [text('a'), { type: 'odd', value: Number.NaN }] } as unknown as Raw
    expect(shownOf(raw)?.content).toEqual([text('[odd, too large to show]')])
  })
})
