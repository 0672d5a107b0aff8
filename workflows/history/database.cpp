#include "workflows/history/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <exception>
#include <filesystem>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/files.hpp"

namespace warpcheck::workflows::history {
namespace {

constexpr int kPatienceMilliseconds = 60'000;  // waiting time while another process writes

[[noreturn]] void wrong(const std::string& path, std::string message) {
  throw file_error(path, std::move(message));
}

}  // namespace

void Database::Closer::operator()(sqlite3* handle) const { sqlite3_close(handle); }
void Query::Closer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Database::Database(std::string path, bool create) : path_(std::move(path)) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path_.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(handle, kPatienceMilliseconds);
  sqlite3_extended_result_codes(handle, 1);
}

void Database::fail(int code) const {
  const char* const reason = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_CANTOPEN:
      if (std::filesystem::is_directory(path_)) {
        wrong(path_, "found a folder, expected a file for the history");
      }
      wrong(path_,
            "cannot be opened as a history: no such file or folder, or no permission to write it");
    case SQLITE_NOTADB:
      wrong(path_, "found a file that is no SQLite database, expected a history of warpcheck");
    case SQLITE_CORRUPT:
      wrong(path_, fmt::format("the history is damaged: {}. Remove it, and run its campaign again",
                               reason));
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
      wrong(path_, fmt::format("found other tables than those of a history: {}", reason));
    default:
      throw EnvironmentError(fmt::format("{}: the history cannot be used: {}", path_, reason));
  }
}

void Database::run(const std::string& statements) {
  const int code = sqlite3_exec(handle_.get(), statements.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }

Query::Query(const Database& database, std::string_view statement) : database_(database) {
  sqlite3_stmt* prepared = nullptr;
  check(sqlite3_prepare_v2(database.handle_.get(), statement.data(),
                           static_cast<int>(statement.size()), &prepared, nullptr));
  statement_.reset(prepared);
}

void Query::check(int code) const {
  if (code != SQLITE_OK) database_.fail(code);
}

Query& Query::bind(std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), ++bound_, value));
  return *this;
}

Query& Query::bind(double value) {
  check(sqlite3_bind_double(statement_.get(), ++bound_, value));
  return *this;
}

Query& Query::bind(std::string_view value) {
  check(sqlite3_bind_text64(statement_.get(), ++bound_, value.data(), value.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Query& Query::bind_maybe(const std::optional<double>& value) {
  if (value) return bind(*value);
  check(sqlite3_bind_null(statement_.get(), ++bound_));
  return *this;
}

Query& Query::bind_maybe(const std::optional<std::string>& value) {
  if (value) return bind(std::string_view(*value));
  check(sqlite3_bind_null(statement_.get(), ++bound_));
  return *this;
}

Query& Query::bind_from(const Query& row, int column) {
  check(sqlite3_bind_value(statement_.get(), ++bound_,
                           sqlite3_column_value(row.statement_.get(), column)));
  return *this;
}

bool Query::next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail(code);
  check(sqlite3_reset(statement_.get()));
  bound_ = 0;
  return false;
}

int Query::columns() const { return sqlite3_column_count(statement_.get()); }

bool Query::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Query::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Query::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string Query::text(int column) const {
  const auto* const characters =
      reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const auto length = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return characters == nullptr ? std::string() : std::string(characters, length);
}

std::optional<double> Query::maybe_real(int column) const {
  return is_null(column) ? std::nullopt : std::optional(real(column));
}

std::optional<std::string> Query::maybe_text(int column) const {
  return is_null(column) ? std::nullopt : std::optional(text(column));
}

Transaction::Transaction(Database& database)
    : database_(database), within_(sqlite3_get_autocommit(database.handle_.get()) == 0) {
  database_.run(within_ ? "SAVEPOINT part" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.run(within_ ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK");
  } catch (const std::exception&) {
    // SQLite has already rolled back if the error that led here was its own.
  }
}

void Transaction::commit() {
  database_.run(within_ ? "RELEASE part" : "COMMIT");
  open_ = false;
}

}  // namespace warpcheck::workflows::history
