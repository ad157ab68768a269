import { z } from 'zod'
import { jsonValue } from './json.ts'

/**
 * An object that keeps the fields it does not know, so that what a newer version wrote passes
 * through an older one whole. The type lists the known fields only. (A key `__proto__` is nobody's
 * field and is dropped.)
 */
export function openObject<S extends z.ZodRawShape>(shape: S): z.ZodObject<S> {
  return z.object(shape).catchall(jsonValue) as unknown as z.ZodObject<S>
}
