import { expect, test } from 'vitest'
import { hiddenCharacters, toAnnotations, toDescription } from './shown-action.ts'

const action = { name: 'order.cancel', args: {}, description: 'Cancels an order.' }
const notice =
  'Not shown of the arguments, and part of what runs: 12 characters that are masked as secrets, ' +
  '900 characters of texts that are too long.\n\n'

test('what the server says of the arguments, in English, the page says in its own words', () => {
  const cut = {
    ...{ ...action, description: `${notice}Cancels an order.` },
    not_shown: { masked: 12, cut: 900 },
  }
  expect(toDescription(cut)).toBe('Cancels an order.')
  expect(hiddenCharacters(cut)).toBe(912)
  const forged = { ...action, description: `${notice}Cancels an order.` }
  expect(toDescription(forged)).toBe(forged.description)
  expect(hiddenCharacters(action)).toBe(0)
})

test('what a server claims of its tool is read as far as it claims it', () => {
  const claimed = { ...action, annotations: { destructiveHint: true, readOnlyHint: 'no' } }
  expect(toAnnotations(claimed)).toEqual({ destructiveHint: true })
  expect(toAnnotations(action)).toEqual({})
})
