import { act, renderHook, screen } from "@testing-library/react";
import { useForm } from "react-hook-form";
import { expect, it, vi } from "vitest";
import { Failure } from "@/api/failure";
import { useSubmit } from "@/store/useSubmit";
import { show } from "../kit/help";

const refused = (field?: string) => new Failure({ kind: "refused", status: 400, message: "Not so.", field });

/** A form with one field, and a command that ends so. */
function form(send: () => Promise<string | undefined>, onFailed?: () => boolean) {
  const onDone = vi.fn();
  const { result } = renderHook(() => {
    const one = useForm({ defaultValues: { email: "ada@example.com" } });
    const submit = useSubmit(one, { send, onDone, onFailed, fields: { userEmail: "email" } });
    return { submit, fault: one.formState.errors.email?.message };
  });
  return { onDone, fault: () => result.current.fault, submit: () => act(() => result.current.submit()) };
}

it("goes on with the answer, and with nothing where nothing was sent", async () => {
  const sent = form(async () => "yes");
  await sent.submit();
  expect(sent.onDone).toHaveBeenCalledWith("yes", { email: "ada@example.com" });
  const busy = form(async () => undefined);
  await busy.submit();
  expect(busy.onDone).not.toHaveBeenCalled();
});

it.each(["email", "userEmail"])("shows beside its field what the server refuses of %s", async (named) => {
  const sent = form(() => Promise.reject(refused(named)));
  await sent.submit();
  expect(sent.fault()).toBe("Not so.");
  expect(sent.onDone).not.toHaveBeenCalled();
});

it.each([undefined, "phone"])("tells in a toast what belongs to no field of the form (%s)", async (named) => {
  show(null);
  const sent = form(() => Promise.reject(refused(named)));
  await sent.submit();
  await screen.findByText("Not so.");
  expect(sent.fault()).toBeUndefined();
});

it("leaves to the form what the form shows itself", async () => {
  show(null);
  const onFailed = vi.fn(() => true);
  const sent = form(() => Promise.reject(refused("email")), onFailed);
  await sent.submit();
  expect(onFailed).toHaveBeenCalledOnce();
  expect(sent.fault()).toBeUndefined();
  expect(screen.queryByText("Not so.")).toBeNull();
});
