import { expect, test } from 'vitest'
import { createOrderedEvents } from './ordered-events.ts'

test('what a listener causes is told after what was there before, and after it has returned', () => {
  const told: string[] = []
  const emit = createOrderedEvents<number>((event) => {
    told.push(`begin ${event}`)
    if (event === 1) emit(3)
    told.push(`end ${event}`)
  })
  emit(1, 2)
  expect(told).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3'])
})
