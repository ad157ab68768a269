const microsOfSecond = 1_000_000
const microsOfDay = 86_400 * microsOfSecond
const earliest = Date.UTC(1700, 0) * 1_000
const latest = Date.UTC(2200, 0) * 1_000

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
let lastDay = Number.NaN
let lastDate = ''

/** `2026-01-31T10:11:12.5` of microseconds since 1970; undefined where no number holds them. */
export function toMomentText(micros: bigint): string | undefined {
  const number = Number(micros)
  if (!(number >= earliest && number < latest)) return undefined
  const day = Math.floor(number / microsOfDay)
  const inDay = number - day * microsOfDay
  const seconds = Math.floor(inDay / microsOfSecond)
  const minutes = Math.floor(seconds / 60)
  const [hour, minute] = [twoDigits[Math.floor(minutes / 60)], twoDigits[minutes % 60]]
  const text = `${toDateText(day)}T${hour}:${minute}:${twoDigits[seconds % 60]}`
  const fraction = inDay - seconds * microsOfSecond
  return fraction === 0 ? text : `${text}.${toFraction(fraction)}`
}

/** Rows that follow each other are often of one day. */
function toDateText(day: number): string {
  if (day !== lastDay) {
    lastDay = day
    lastDate = new Date(day * 86_400_000).toISOString().slice(0, 10)
  }
  return lastDate
}

function toFraction(micros: number): string {
  return String(micros).padStart(6, '0').replace(/0+$/, '')
}

/** `-12.50` of -1250 and a scale of 2. */
export function toDecimalText(value: bigint, scale: number): string {
  if (scale === 0) return String(value)
  const number = Number(value)
  const isNegative = number < 0
  const size = isNegative ? -value : value
  const digits = String(Number.isSafeInteger(number) ? Math.abs(number) : size)
  const padded = digits.padStart(scale + 1, '0')
  const text = `${padded.slice(0, -scale)}.${padded.slice(-scale)}`
  return isNegative ? `-${text}` : text
}
