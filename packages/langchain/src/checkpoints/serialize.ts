import { AppError, type SerializedValue } from '@dataagent/schema'
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint'

export async function serialize(
  serde: SerializerProtocol,
  value: unknown,
): Promise<SerializedValue> {
  const [type, bytes] = await serde.dumpsTyped(value)
  return { type, bytes }
}

/** Throws `invalid_result` for what cannot be read again, as what a model has made up may be. */
export async function deserialize(
  serde: SerializerProtocol,
  { type, bytes }: SerializedValue,
): Promise<unknown> {
  try {
    return await serde.loadsTyped(type, bytes)
  } catch (cause) {
    throw new AppError('invalid_result', 'A value of a checkpoint cannot be read.', { cause })
  }
}
