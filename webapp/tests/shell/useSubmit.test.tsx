import { act, renderHook, screen } from "@testing-library/react";
import { useState } from "react";
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

it("leads through the steps of a form, and sends it after the last", async () => {
  const send = vi.fn(async () => "yes");
  const onNext = vi.fn();
  const { result } = renderHook(() => {
    const one = useForm({ defaultValues: { name: "", email: "" } });
    const rule = { validate: (text: string) => text !== "" || "Needed." };
    one.register("name", rule);
    one.register("email", rule);
    const [isLast, setLast] = useState(false);
    const fields = [isLast ? "email" : "name"] as const;
    const submit = useSubmit(one, { send, step: { fields, onNext: isLast ? undefined : onNext } });
    const { errors, isSubmitted } = one.formState;
    return { submit, setLast, one, errors, isSubmitted };
  });
  const submit = () => act(() => result.current.submit());
  await submit();
  expect(result.current.errors.name?.message).toBe("Needed.");
  expect(onNext).not.toHaveBeenCalled();
  act(() => result.current.one.setValue("name", "Ada"));
  await submit();
  expect(onNext).toHaveBeenCalledOnce();
  expect(result.current.isSubmitted).toBe(false);
  act(() => result.current.setLast(true));
  await submit();
  expect(send).not.toHaveBeenCalled();
  act(() => result.current.one.setValue("email", "ada@example.com"));
  await submit();
  expect(send).toHaveBeenCalledExactlyOnceWith({ name: "Ada", email: "ada@example.com" });
});

it("brings the field to the screen that the server refuses", async () => {
  const onField = vi.fn();
  const { result } = renderHook(() => {
    const one = useForm({ defaultValues: { email: "ada@example.com" } });
    return useSubmit(one, { send: () => Promise.reject(refused("email")), onField });
  });
  await act(() => result.current());
  expect(onField).toHaveBeenCalledExactlyOnceWith("email");
});

it("hands what was typed on where a review follows", async () => {
  const onReview = vi.fn();
  const { result } = renderHook(() => useSubmit(useForm({ defaultValues: { amount: "5,000" } }), { onReview }));
  await act(() => result.current());
  expect(onReview).toHaveBeenCalledExactlyOnceWith({ amount: "5,000" });
});
