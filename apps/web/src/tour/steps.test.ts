import { expect, test } from 'vitest'
import { keepSteps, type TourStep } from './steps.ts'

const steps = (...ids: TourStep['id'][]) =>
  ids.map((id): TourStep => ({ id, to: '/c', target: id }))

test('a step stays when what it needs goes away, in its place', () => {
  const kept = keepSteps(steps('ask', 'approve', 'server'), steps('ask', 'server'))
  expect(kept).toEqual(steps('ask', 'approve', 'server'))
})

test('one that becomes possible comes in its place, and what it says is what holds now', () => {
  const [ask] = steps('ask')
  const now = [{ ...ask, ask: 'Anything?' } as TourStep, ...steps('approve', 'expose')]
  expect(keepSteps(steps('ask', 'server'), now)).toEqual([
    ...now.slice(0, 2),
    ...steps('server', 'expose'),
  ])
})
