import { expect, test } from 'vitest'
import { toSubject } from './message-subject.ts'

test.each([
  ['请查一下上海的天气', '上海'],
  ['Weather: Paris ', 'Paris'],
  ['find the teapot...', 'teapot'],
  ['', ''],
])('%j is about %j', (text, subject) => {
  expect(toSubject(text)).toBe(subject)
})

test.each(['.', '的'])('many %j in the middle take linear time', (letter) => {
  const began = performance.now()
  expect(toSubject(`tea${letter.repeat(200_000)}pot`)).toMatch(/^tea.+pot$/)
  expect(performance.now() - began).toBeLessThan(5_000)
})
