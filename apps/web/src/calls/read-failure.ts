interface Failure {
  code: string | undefined
  message: string | undefined
}

/** What the audit holds of a failure, as JSON; undefined where it is something else. */
export function readFailure(text: string): Failure | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const { code, error_code, message } = value as Record<string, unknown>
    const known = [code, error_code].find((each) => typeof each === 'string')
    return {
      code: typeof known === 'string' ? known : undefined,
      message: typeof message === 'string' ? message : undefined,
    }
  } catch {
    return undefined
  }
}
