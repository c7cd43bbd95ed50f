/** What a count of ours is of, for it is less than what is billed. */
export function CountedTexts() {
  return (
    <p className="mb-3 max-w-3xl text-xs text-muted">
      Counted are texts, all that savers can touch: system prompts, the words of messages, results of tools. Tool definitions, arguments of tool calls, images, schemas and what the provider puts around messages are in its bill and not in this count.
    </p>
  );
}
