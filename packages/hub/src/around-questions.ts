import type { QuestionContext, ServerQuestions } from '@dataagent/mcp'

/** Runs while one question is open; gives, or throws, what `ask` does. */
export type During = <T>(ask: () => Promise<T>, context: QuestionContext) => Promise<T>

/** The same questions, each asked by way of `during`. */
export function aroundQuestions(
  { elicit, sample, listRoots }: ServerQuestions,
  during: During,
): ServerQuestions {
  return {
    elicit: elicit && ((params, context) => during(async () => elicit(params, context), context)),
    sample: sample && ((params, context) => during(async () => sample(params, context), context)),
    listRoots: listRoots && ((context) => during(async () => listRoots(context), context)),
  }
}
