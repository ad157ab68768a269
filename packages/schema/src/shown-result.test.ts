import { describe, expect, test } from 'vitest'
import { toShownResult } from './shown-result.ts'

const text = (words: string) => ({ type: 'text', text: words })
const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' }

describe('a result as people are shown it', () => {
  test.each([
    ['what the model reads', { result: 'a' }, 'a'],
    ['the same as JSON', { result: { code: 'denied' } }, { code: 'denied' }],
    [
      'images in place of the words for them',
      { result: '[image]', shown: { with_text: false, content: [image] } },
      { content: [image] },
    ],
    [
      'text, images and what is structured',
      { result: 'a', shown: { with_text: true, content: [image], structuredContent: { b: 1 } } },
      { content: [text('a'), image], structuredContent: { b: 1 } },
    ],
  ])('%s', (_, event, shown) => {
    expect(toShownResult(event)).toEqual(shown)
  })
})
