import { expect, test } from 'vitest'
import type { Caller } from './contract.ts'
import { createIntroduction, type IntroductionOptions } from './introduction.ts'

const caller = {} as Caller

function instructionsOf(...said: { name: string; instructions?: string }[]) {
  const all = () => said.map((one) => ({ ...one, capabilities: {} }))
  const servers = { all } as unknown as IntroductionOptions['servers']
  const { initialize, discover } = createIntroduction({
    servers,
    serverInfo: { name: 'gateway', version: '1' },
  })
  const { instructions } = initialize(caller, {})
  expect(discover(caller).instructions).toBe(instructions)
  return instructions
}

test('what servers say to the model is under their names, also where one says something [A6.1]', () => {
  const mall = { name: 'mall', instructions: 'Orders have numbers.' }
  expect(instructionsOf()).toBeUndefined()
  expect(instructionsOf({ name: 'quiet' })).toBeUndefined()
  expect(instructionsOf(mall, { name: 'quiet' })).toBe('mall: Orders have numbers.')
  expect(instructionsOf(mall, { name: 'bank', instructions: 'Ask.' })).toBe(
    'mall: Orders have numbers.\n\nbank: Ask.',
  )
})
