import { randomInt } from 'node:crypto'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` random characters, each of 62 as likely. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => digits[randomInt(62)]).join('')
}

/** A number below 62 to the power of `length`, in exactly that many characters. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) {
    text = digits[rest % 62] + text
  }
  return text
}
