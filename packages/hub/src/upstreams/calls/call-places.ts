import { quotaError } from './errors.ts'

/** The calls that a server has under way from this process, over all its connections. */
export interface CallPlaces {
  readonly taken: number
  /** Throws `quota_exceeded` where there is none left; to be followed by one `leave`. */
  enter(): void
  leave(): void
}

export function createCallPlaces(max: number): CallPlaces {
  let taken = 0
  return {
    get taken() {
      return taken
    },
    enter() {
      if (taken >= max) throw noPlace(max)
      taken += 1
    },
    leave() {
      taken -= 1
    },
  }
}

function noPlace(limit: number) {
  const message = `The server has ${limit} calls under way (callsPerServer); try again later.`
  return quotaError({ setting: 'callsPerServer', limit }, message)
}
