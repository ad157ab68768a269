import type { RequestOptions, ServerQuestions } from '@dataagent/mcp'

type Listeners = Pick<RequestOptions, 'onProgress' | 'onNotice' | 'questions'>
type Conceal<K> = <V>(key: K, said: V) => V

/** Options of a call whose functions are given nothing secret; the same where there are none. */
export function toConcealed<T extends Listeners, K>(given: T, conceal: Conceal<K>, key: K): T {
  const { onProgress, onNotice, questions } = given
  if (onProgress === undefined && onNotice === undefined && questions === undefined) return given
  return {
    ...given,
    ...(onProgress && { onProgress: (progress) => onProgress(conceal(key, progress)) }),
    ...(onNotice && { onNotice: (notice) => onNotice(conceal(key, notice)) }),
    ...(questions && { questions: toConcealedQuestions(questions, conceal, key) }),
  } satisfies Listeners as T
}

function toConcealedQuestions<K>(
  { elicit, sample, listRoots }: ServerQuestions,
  conceal: Conceal<K>,
  key: K,
): ServerQuestions {
  return {
    elicit: elicit && ((params, context) => elicit(conceal(key, params), context)),
    sample: sample && ((params, context) => sample(conceal(key, params), context)),
    listRoots,
  }
}
