import pulls from "./pulls.json" with { type: "json" };

export const repository = "acme/lighthouse";

export type Pull = (typeof pulls)[number];

export const all: readonly Pull[] = pulls;

/** The URL of a pull request as people paste it. */
export const urlOf = (pull: Pull) => `https://github.com/${repository}/pull/${pull.number}`;

const form = /^https:\/\/[^/\s]+\/([\w.-]+\/[\w.-]+)\/pull\/(\d+)\/?$/;

/** Finds the pull request of a URL, and refuses what is none before anything is looked up. */
export function pullOf(prUrl: string): Pull {
  const match = form.exec(prUrl);
  if (!match) {
    throw new Error(`Not a pull request URL: ${prUrl}`);
  }
  const [, name, number] = match;
  const pull = pulls.find((p) => p.number === Number(number));
  if (name !== repository || !pull) {
    throw new Error(`There is no pull request ${number} in ${name}`);
  }
  return pull;
}

/** What every tool that takes a pull request takes. */
export const prUrl = {
  type: "string",
  description: "The pull request's URL, such as https://github.com/acme/lighthouse/pull/7",
} as const;

export const mergedKey = (pull: Pull) => `merged:${pull.number}`;

export const commentsKey = (pull: Pull) => `comments:${pull.number}`;

/** Why a pull request cannot be merged, if there is a reason. */
export function obstacle(pull: Pull): string | undefined {
  if (pull.draft) {
    return "it is a draft";
  }
  const red = pull.checks.filter((c) => c.status !== "green").map((c) => c.name);
  return red.length > 0 ? `not green: ${red.join(", ")}` : undefined;
}
