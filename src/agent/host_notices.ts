/** Facts the host tells the model in the middle of a turn. Each is marked as the host's and never as the person's words. */

export const EMPTY_ANSWER =
  "Your last answer had neither text nor a tool call. Continue the task, or give the final answer.";

const SAY_WHERE =
  "No further calls will run. Say in a few lines what is done, what is left, and what the next step would be.";

export const ROUND_LIMIT = `The limit of tool rounds for this turn is reached. ${SAY_WHERE}`;

export const BUDGET_SPENT = `The budget of this turn is spent. ${SAY_WHERE}`;

export const NOTHING_NEW = `The same calls have brought the same results again and again. ${SAY_WHERE}`;

export const SAME_FAILURE =
  "[host] The same call has failed three times in a row. Read the error, look at the current state, " +
  "and try a different approach.";

export const SAME_RESULT =
  "[host] The same call has brought the same result three times in a row. It will not bring anything else: " +
  "go on with what it says, or try something different.";

export const CUT_TEXT = "the answer was cut at the token limit (max_output_tokens)";

export const FILTERED = "the provider withheld part of the answer (content filter)";

export function cutCalls(count: number): string {
  const what = count === 1 ? "A tool call" : `${count} tool calls`;
  return `${what} of your last answer reached the output limit before the arguments were complete and did not run. ` +
    "Send the work again in smaller pieces.";
}

export const NO_PROGRESS =
  "Eight rounds have brought nothing new while a task is open. Stop and reassess: what is known, what " +
  "blocks the task, and which smaller or different step would move it. If only the person can unblock it, say so and end the turn.";
