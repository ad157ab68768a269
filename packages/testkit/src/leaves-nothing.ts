import { afterAll, expect } from 'vitest'

// Set up for every test file: files share a process, so what one changes of it the next would meet.
const before = look()
afterAll(() => expect(look()).toEqual(before))

function look() {
  return { env: { ...process.env }, folder: process.cwd(), umask: process.umask() }
}
